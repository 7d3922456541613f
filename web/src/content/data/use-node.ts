/** The node that the address of the page names: by its id (`?id=…`), or by its path (`?path=/blog/hello`). */
import { type Answer, useData } from '../../api/use-data.js';
import { useLocation } from '../../kit/base/location.js';
import { type EditorNode, EditorNodeByPathDocument, EditorNodeDocument } from './nodes.js';

interface NodeAnswer extends Omit<Answer<unknown>, 'data'> {
  /** Null: there is none. Undefined until the server has answered. */
  readonly node: EditorNode | null | undefined;
}

export function useNodeOfAddress(): NodeAnswer {
  const { query } = useLocation();
  const [id, path] = [query.get('id'), query.get('path')];
  const byId = useData(EditorNodeDocument, id === null ? null : { id });
  const byPath = useData(EditorNodeByPathDocument, id === null && path !== null ? { path } : null);
  if (id === null && path === null) return { ...byId, node: null };
  const { data: found, ...answer } = id === null ? byPath : byId;
  if (found === null) return { ...answer, node: undefined };
  const node = 'node' in found ? found.node : found.nodeByPath;
  return { ...answer, node: node && 'nonce' in node ? node : null };
}
