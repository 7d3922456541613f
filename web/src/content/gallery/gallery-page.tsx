/** A gallery: its photos in every state, those of others only for editors, and uploads of several at once. */
import { useTitle } from '../../kit/base/title.js';
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { useRole } from '../../shell/access.js';
import { ShareLink } from '../../shell/share-link.js';
import type { EditorNode } from '../data/nodes.js';
import { useNodeOfAddress } from '../data/use-node.js';
import { StateBadge } from '../parts/state-badge.js';
import styles from './gallery-page.module.css';
import { PhotoGrid } from './photo-grid.js';
import { UploadZone } from './upload-zone.js';
import { useUploads } from './uploads.js';

export function GalleryPage() {
  const { node, error, again } = useNodeOfAddress();
  if (node === undefined) return <Waiting data={null} error={error} again={again} rows={4} height="96px" />;
  if (node?.type !== 'GALLERY') {
    return (
      <Empty icon="picture" title="There is no such gallery" action={<Link href="/content">All content</Link>}>
        It was deleted for good, or the address is not complete.
      </Empty>
    );
  }
  return <Gallery key={node.id} gallery={node} />;
}

function Gallery({ gallery }: { readonly gallery: EditorNode }) {
  useTitle(gallery.title);
  const isEditor = useRole('EDITOR');
  const { uploads, add, dismiss, finished } = useUploads(gallery.id);
  return (
    <Card
      title={<span className={styles.name}>{gallery.title}</span>}
      aside={
        <span className={styles.aside}>
          <StateBadge node={gallery} />
          {gallery.state === 'PUBLISHED' && <ShareLink id={gallery.id} />}
          {isEditor && (
            <Link className="button" href={`/content/edit?id=${encodeURIComponent(gallery.id)}`}>
              <Icon name="pen" /> Edit gallery
            </Link>
          )}
          {!isEditor && gallery.state === 'PUBLISHED' && (
            <a className="button" href={gallery.url}>
              <Icon name="picture" /> What readers see
            </a>
          )}
        </span>
      }
      bodyClass={styles.gallery}
    >
      <UploadZone uploads={uploads} onFiles={add} onDismiss={dismiss} />
      <PhotoGrid galleryId={gallery.id} news={finished} />
    </Card>
  );
}
