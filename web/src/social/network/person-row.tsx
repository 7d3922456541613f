/** A person in a list, with the circles that the viewer has the person in. */
import type { HTMLAttributes } from 'react';
import { viewerStore } from '../../api/session.js';
import { useStore } from '../../kit/base/store.js';
import { Link } from '../../kit/controls/link.js';
import { Face } from '../parts/face.js';
import { wallOf } from '../parts/links.js';
import { CirclesMenu } from './circles-menu.js';
import type { Profile } from './find.js';
import styles from './person-row.module.css';

interface PersonRowProps extends HTMLAttributes<HTMLLIElement> {
  readonly profile: Profile;
}

export function PersonRow({ profile, className = '', ...item }: PersonRowProps) {
  const viewer = useStore(viewerStore);
  return (
    <li {...item} className={`${styles.row} ${className}`}>
      <Face name={profile.name} src={profile.picture?.small} />
      <span className={styles.who}>
        <Link href={wallOf(profile.id)} className={styles.name} draggable={false}>
          <bdi>{profile.name}</bdi>
        </Link>
        <span className="note">
          {[profile.place, profile.followsMe ? 'follows you' : ''].filter(Boolean).join(' · ')}
        </span>
      </span>
      {profile.id === viewer?.id ? (
        <span className="badge">you</span>
      ) : (
        <CirclesMenu person={profile} inside={profile.myCircles} isSmall />
      )}
    </li>
  );
}
