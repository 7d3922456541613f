/** A person's profile and wall. */
import { usePolling } from '../../api/polling.js';
import { viewerStore } from '../../api/session.js';
import { useData } from '../../api/use-data.js';
import { useLocation } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { useTitle } from '../../kit/base/title.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { idIn } from '../../shell/section.js';
import { Composer } from '../composer/composer.js';
import { networkContext, useProfile } from '../data/network.js';
import { openWall } from '../data/open-posts.js';
import { BlockButton } from '../network/block-button.js';
import type { Profile } from '../network/find.js';
import { Joined } from '../network/joined.js';
import { BlockedPeopleDocument } from '../network/lists.js';
import { ProfileHead } from '../network/profile-head.js';
import { Posts } from '../posts/posts.js';
import { usePosts } from '../posts/use-posts.js';
import styles from './page.module.css';
import { WallSkeleton } from './wall-skeleton.js';

/** Follows the counts, and who blocks whom. */
const POLL_MS = 15_000;
const nothing = {};

export const OwnWallPage = () => (
  <Joined waiting={<WallSkeleton />}>
    {(own, again) => <Wall key={own.id} own={own} profile={own} onGone={again} />}
  </Joined>
);

export function WallPage() {
  const { path } = useLocation();
  const id = idIn('/social/wall/:id', path) ?? '';
  return <Joined waiting={<WallSkeleton />}>{(own) => <SomeWall key={id} id={id} own={own} />}</Joined>;
}

function SomeWall({ id, own }: { id: string; own: Profile }) {
  const answer = useProfile(id);
  const { data, error, again } = answer;
  usePolling(again, POLL_MS);
  useTitle(data?.profile?.name ?? 'Profile');
  if (data?.profile) return <Wall profile={data.profile} own={own} onGone={again} />;
  if (data) return <Nobody id={id} />;
  return error ? <Waiting {...answer} rows={1} /> : <WallSkeleton />;
}

/** A person who is not in the network, or one of two of whom one has blocked the other. */
function Nobody({ id }: { id: string }) {
  const { data } = useData(BlockedPeopleDocument, nothing, networkContext);
  const blocked = data?.blockedPeople.find((each) => each.id === id);
  const name = blocked?.name || 'this person';
  return (
    <div className={`card ${styles.column}`}>
      {blocked ? (
        <Empty icon="user" title={`You have blocked ${name}`} action={<BlockButton person={{ id, name }} isBlocked />}>
          You see nothing of each other: no profiles, no posts, no comments.
        </Empty>
      ) : (
        <Empty
          icon="user"
          title="Nobody is here"
          action={
            <Link className="button" href="/social/people">
              Find people
            </Link>
          }
        >
          This person is not in the network, or does not share a profile with you.
        </Empty>
      )}
    </div>
  );
}

interface WallProps {
  readonly profile: Profile;
  readonly own: Profile;
  /** Called when posts have disappeared. */
  readonly onGone: () => void;
}

function Wall({ profile, own, onGone }: WallProps) {
  const { id, name } = profile;
  const viewer = useStore(viewerStore);
  const isOwn = id === own.id || id === viewer?.id;
  const posts = usePosts(() => openWall(id, onGone));
  return (
    <div className={styles.column}>
      <ProfileHead profile={profile} isOwn={isOwn} />
      <Composer key={id} own={own} {...(isOwn ? {} : { wall: { id, name } })} onPosted={posts.put} />
      <Posts
        posts={posts}
        label={`Wall of ${name}`}
        wall={id}
        empty={
          <Empty icon="comment" title={isOwn ? 'Your wall is empty' : 'There is nothing here for you yet'}>
            {isOwn
              ? 'Write your first post above.'
              : `${name} has shared nothing with you. You can write on this wall.`}
          </Empty>
        }
      />
    </div>
  );
}
