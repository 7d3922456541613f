/** For authors: the galleries into which they upload photos. */
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import type { Group } from '../data/groups.js';
import { addressOf } from '../data/nodes.js';
import styles from './galleries-card.module.css';

export function GalleriesCard({ groups }: { readonly groups: readonly Group[] }) {
  const galleries = groups.filter(({ type }) => type === 'GALLERY');
  if (galleries.length === 0) return null;
  return (
    <Card title="Galleries" aside={<span className="note">open one to upload photos</span>}>
      <ul className={styles.galleries}>
        {galleries.map((gallery) => (
          <li key={gallery.id}>
            <Link className="button" href={addressOf(gallery)}>
              <Icon name="picture" /> <span className="cut">{gallery.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
