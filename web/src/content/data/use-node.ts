/** The node that the address of the page names: by its id (`?id=…`), or by its path (`?path=/blog/hello`). */
import { type Answer, useData } from '../../api/use-data.js';
import { useLocation } from '../../kit/base/location.js';
import { type EditorNode, EditorNodeByPathDocument, OpenNodeDocument } from './nodes.js';

interface NodeAnswer extends Pick<Answer<unknown>, 'error' | 'again'> {
  /** Null: there is none. Undefined until the server has answered. */
  readonly node: EditorNode | null | undefined;
}

export function useNodeOfAddress(): NodeAnswer {
  const { query } = useLocation();
  const [id, path] = [query.get('id'), query.get('path')];
  const byId = useData(OpenNodeDocument, id === null ? null : { id });
  const byPath = useData(EditorNodeByPathDocument, id === null && path !== null ? { path } : null);
  const { error, again } = id === null ? byPath : byId;
  if (id === null && path === null) return { error, again, node: null };
  const found = id === null ? byPath.data?.nodeByPath : byId.data?.node;
  if (found === undefined) return { error, again, node: undefined };
  return { error, again, node: found && 'nonce' in found ? found : null };
}
