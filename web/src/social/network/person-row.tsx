/** A person in a list, with the circles that the viewer has the person in. */
import type { HTMLAttributes } from 'react';
import { Link } from '../../kit/controls/link.js';
import { Face } from '../parts/face.js';
import { wallOf } from '../parts/links.js';
import { CirclesMenu } from './circles-menu.js';
import type { Profile } from './find.js';
import styles from './person-row.module.css';

interface PersonRowProps extends HTMLAttributes<HTMLLIElement> {
  readonly profile: Profile;
}

export const PersonRow = ({ profile, className = '', ...item }: PersonRowProps) => (
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
    <CirclesMenu person={profile} inside={profile.myCircles} isSmall />
  </li>
);
