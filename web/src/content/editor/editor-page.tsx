/** The editor of one node, by its id in the address. */
import { useData } from '../../api/use-data.js';
import { viewerStore } from '../../api/session.js';
import { useLocation } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { EditorNodeDocument } from '../data/nodes.js';
import { Editor } from './editor.js';

export function EditorPage() {
  const id = useLocation().query.get('id');
  const viewer = useStore(viewerStore);
  const answer = useData(EditorNodeDocument, id === null ? null : { id });
  const node = answer.data?.node;
  if (id !== null && !answer.data) return <Waiting {...answer} rows={4} height="96px" />;
  if (!node || !('nonce' in node) || !viewer) {
    return (
      <Empty icon="search" title="There is nothing to edit here" action={<Link href="/content">All content</Link>}>
        It was deleted for good, or the address is not complete.
      </Empty>
    );
  }
  return <Editor key={node.id} opened={node} viewerId={viewer.id} />;
}
