/** The top of a wall: who it is, and what the viewer can do about it. */
import { useState } from 'react';
import { formatCount, formatMonthOfYear } from '../../kit/base/format.js';
import { Link } from '../../kit/controls/link.js';
import { Modal } from '../../kit/controls/modal.js';
import { Icon } from '../../kit/display/icon.js';
import { Face } from '../parts/face.js';
import { BlockButton } from './block-button.js';
import { CirclesMenu } from './circles-menu.js';
import type { Profile } from './find.js';
import { ProfileForm } from './profile-form.js';
import styles from './profile-head.module.css';

export function ProfileHead({ profile, isOwn }: { profile: Profile; isOwn: boolean }) {
  const { name, about, place, interests, picture, joinedAt, followerCount, followingCount, followsMe } = profile;
  return (
    <section className={`card ${styles.head}`} aria-label={`Profile of ${name}`}>
      <Face name={name} src={picture?.small} size={88} />
      <div className={styles.main}>
        <h2>
          <bdi>{name}</bdi> {followsMe && !isOwn && <span className="badge">follows you</span>}
        </h2>
        <p className="note">
          {place !== '' && (
            <>
              <bdi>{place}</bdi> ·{' '}
            </>
          )}
          {formatCount(followerCount)} {followerCount === 1 ? 'follower' : 'followers'} · follows{' '}
          {formatCount(followingCount)} · joined {formatMonthOfYear(Date.parse(joinedAt))}
        </p>
        {about !== '' && (
          <p className={styles.about} dir="auto">
            {about}
          </p>
        )}
        {interests.length > 0 && (
          <ul className="badges" aria-label="Likes">
            {interests.map((interest) => (
              <li key={interest} className={`badge ${styles.interest}`} dir="auto">
                {interest}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={styles.acts}>{isOwn ? <EditButton profile={profile} /> : <Acts profile={profile} />}</div>
    </section>
  );
}

const Acts = ({ profile }: { profile: Profile }) => (
  <>
    {!profile.blockedByMe && <CirclesMenu person={profile} inside={profile.myCircles} />}
    <BlockButton person={profile} isBlocked={profile.blockedByMe} />
  </>
);

function EditButton({ profile }: { profile: Profile }) {
  const [isOpen, open] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => open(true)}>
        <Icon name="pen" /> Edit profile
      </button>
      {isOpen && (
        <Modal title="Edit profile" open onOpenChange={open}>
          <ProfileForm profile={profile} yes="Save profile" onSaved={() => open(false)} />
          <p className={`note ${styles.account}`}>
            Your name, a copy of your data and the deletion of your account are in your{' '}
            <Link href="/profile">account settings</Link>.
          </p>
        </Modal>
      )}
    </>
  );
}
