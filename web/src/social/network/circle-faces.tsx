/** The people in a circle. Each face opens a menu: the person's wall, and the way out of the circle. */
import { DropdownMenu } from 'radix-ui';
import type { FaceFragment } from '../../../generated/graphql.js';
import { formatCount } from '../../kit/base/format.js';
import { navigate } from '../../kit/base/location.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import { Face } from '../parts/face.js';
import { wallOf } from '../parts/links.js';
import { carriedStore } from './carried.js';
import styles from './circle-card.module.css';

interface CircleFacesProps {
  /** Null until they are known. */
  readonly members: readonly FaceFragment[] | null;
  readonly circle: { readonly name: string; readonly memberCount: number };
  readonly onRemove: (person: { readonly id: string; readonly name: string }) => void;
  /** Lists all of them. */
  readonly onList: () => void;
}

export function CircleFaces({ members, circle: { name: circle, memberCount }, onRemove, onList }: CircleFacesProps) {
  if (!members) {
    return (
      <div className={styles.faces}>
        <Skeleton width="100%" height="40px" />
      </div>
    );
  }
  if (members.length === 0)
    return <p className={`note ${styles.none}`}>Drop people here, or choose “Follow” in a list.</p>;
  return (
    <ul className={styles.faces}>
      {members.map(({ id, name, profile }) => (
        <li
          key={id ?? name}
          draggable={id !== null}
          onDragStart={({ dataTransfer }) => {
            dataTransfer.setData('text/plain', name);
            dataTransfer.effectAllowed = 'copy';
            if (id) carriedStore.set({ id, name });
          }}
          onDragEnd={() => carriedStore.set(null)}
        >
          <DropdownMenu.Root modal={false}>
            <DropdownMenu.Trigger className={styles.face} aria-label={name || 'Deleted account'} title={name}>
              <Face name={name} src={profile?.picture?.small} />
            </DropdownMenu.Trigger>
            <DropdownMenu.Portal>
              <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
                <DropdownMenu.Label className="menu-label" dir="auto">
                  {name || 'Deleted account'}
                </DropdownMenu.Label>
                {profile && id && (
                  <DropdownMenu.Item className="menu-item" onSelect={() => navigate(wallOf(id))}>
                    Open the wall
                  </DropdownMenu.Item>
                )}
                {id && (
                  <DropdownMenu.Item className="menu-item" onSelect={() => onRemove({ id, name })}>
                    Remove from the circle
                  </DropdownMenu.Item>
                )}
              </DropdownMenu.Content>
            </DropdownMenu.Portal>
          </DropdownMenu.Root>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="button quiet small"
          aria-label={`List the people in ${circle}`}
          onClick={onList}
        >
          {memberCount > members.length ? `and ${formatCount(memberCount - members.length)} more` : 'List the people'}
        </button>
      </li>
    </ul>
  );
}
