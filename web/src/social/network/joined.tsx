/** Pages of the network for who has joined it, and the form to join for everybody else. */
import type { ReactNode } from 'react';
import { navigate, useLocation } from '../../kit/base/location.js';
import { Card } from '../../kit/display/card.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { wayBack } from '../../people/entrance/way-back.js';
import { SeedCard } from '../../shell/seed/seed-card.js';
import { useProfile } from '../data/network.js';
import type { Profile } from './find.js';
import { ProfileForm } from './profile-form.js';
import styles from './profile-form.module.css';

interface JoinedProps {
  readonly children: (own: Profile, again: () => void) => ReactNode;
  /** Shown until the viewer's profile is known: of the size of the page. */
  readonly waiting: ReactNode;
}

export function Joined({ children, waiting }: JoinedProps) {
  const answer = useProfile(null);
  const { query } = useLocation();
  const { data } = answer;
  if (!data) return answer.error ? <Waiting {...answer} rows={1} /> : waiting;
  if (data.profile) return children(data.profile, answer.again);
  return (
    <div className={styles.join}>
      <Card title="Join the network">
        <p className={styles.lead}>
          Put people into circles to follow them, and share with some, all or everybody. Nobody sees in which of your
          circles they are. All fields are optional.
        </p>
        <ProfileForm profile={null} yes="Join the network" onSaved={() => goBack(query)} />
      </Card>
      <LookAround />
    </div>
  );
}

/** To the post that led here. */
function goBack(query: URLSearchParams): void {
  const to = wayBack(query);
  if (to !== '/') navigate(to);
}

const LookAround = () => (
  <SeedCard domain="social" next="Join them">
    Eight people who like boats, with their circles, and two months of posts, photos, polls and comments. Join the
    network after that, find some of them (Elin, Tomas, Oona), and put them into a circle. You can undo it later: what
    nobody has used is removed.
  </SeedCard>
);
