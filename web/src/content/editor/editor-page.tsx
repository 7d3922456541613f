/** The editor of one node. */
import { viewerStore } from '../../api/session.js';
import { useStore } from '../../kit/base/store.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { useRole } from '../../shell/access.js';
import { isWork } from '../data/nodes.js';
import { useNodeOfAddress } from '../data/use-node.js';
import { Editor } from './editor.js';

export function EditorPage() {
  const viewer = useStore(viewerStore);
  const isEditor = useRole('EDITOR');
  const { node, error, again } = useNodeOfAddress();
  if (node === undefined || !viewer) return <Waiting data={null} error={error} again={again} rows={4} height="96px" />;
  if (node === null) {
    return (
      <Empty icon="search" title="There is nothing to edit here" action={<Link href="/content">All content</Link>}>
        It was deleted for good, or the address is not complete.
      </Empty>
    );
  }
  if (!isEditor && (node.author.id !== viewer.id || !isWork(node.type))) {
    return (
      <Empty icon="key" title={node.title} action={<a href={node.url}>Read it</a>}>
        Authors edit posts and photos of their own.
      </Empty>
    );
  }
  return <Editor key={node.id} opened={node} viewerId={viewer.id} />;
}
