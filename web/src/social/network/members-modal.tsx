/** All people of a circle, page by page. */
import type { FaceFragment } from '../../../generated/graphql.js';
import { Link } from '../../kit/controls/link.js';
import { Modal } from '../../kit/controls/modal.js';
import { Face } from '../parts/face.js';
import { wallOf } from '../parts/links.js';
import { CircleMembersDocument } from './lists.js';
import { PersonList } from './person-list.js';
import styles from './person-row.module.css';

interface MembersModalProps {
  readonly circle: { readonly id: string; readonly name: string };
  readonly onRemove: (person: { readonly id: string; readonly name: string }) => void;
  readonly onClose: () => void;
}

const nobody = { edges: [], pageInfo: { hasNextPage: false } };

export function MembersModal({ circle: { id, name }, onRemove, onClose }: MembersModalProps) {
  const row = ({ id: person, name: known, profile }: FaceFragment) => {
    const words = known || 'Deleted account';
    return (
      <li key={person ?? known} className={styles.row}>
        <Face name={known} src={profile?.picture?.small} />
        <span className={styles.who}>
          {person && profile ? (
            <Link href={wallOf(person)} className={styles.name}>
              <bdi>{words}</bdi>
            </Link>
          ) : (
            <bdi>{words}</bdi>
          )}
        </span>
        {person && (
          <button
            type="button"
            className="button small"
            aria-label={`Remove ${words}`}
            onClick={() => onRemove({ id: person, name: words })}
          >
            Remove
          </button>
        )}
      </li>
    );
  };
  return (
    <Modal title={`People in ${name}`} open onOpenChange={onClose}>
      <PersonList
        label={`People in ${name}`}
        query={CircleMembersDocument}
        variables={{ id }}
        connectionOf={({ node }) => (node?.__typename === 'Circle' ? node.members : nobody)}
        row={row}
        empty={<p className="note">Nobody is in this circle.</p>}
      />
    </Modal>
  );
}
