/** A person's profile and wall; the viewer's own if the address names nobody. */
import { viewerStore } from '../../api/session.js';
import { useLocation } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { Composer } from '../composer/composer.js';
import { useProfile } from '../data/network.js';
import { openWall } from '../data/open-posts.js';
import type { Profile } from '../network/find.js';
import { Joined } from '../network/joined.js';
import { ProfileHead } from '../network/profile-head.js';
import { Posts } from '../posts/posts.js';
import { usePosts } from '../posts/use-posts.js';
import styles from './page.module.css';

export function WallPage() {
  const viewer = useStore(viewerStore);
  const of = useLocation().query.get('of');
  return (
    <Joined>
      {(own) =>
        of === null || of === own.id || of === viewer?.id ? (
          <Wall key={own.id} profile={own} isOwn />
        ) : (
          <OtherWall key={of} of={of} />
        )
      }
    </Joined>
  );
}

function OtherWall({ of }: { of: string }) {
  const answer = useProfile(of);
  const { data } = answer;
  if (data?.profile) return <Wall profile={data.profile} isOwn={false} />;
  return (
    <div className={styles.column}>
      {data ? (
        <Empty
          icon="user"
          title="Nobody is here"
          action={
            <Link className="button" href="/social/people">
              Find people
            </Link>
          }
        >
          This person is not in the network, or one of you has blocked the other.
        </Empty>
      ) : (
        <Waiting {...answer} rows={3} height="120px" />
      )}
    </div>
  );
}

function Wall({ profile, isOwn }: { profile: Profile; isOwn: boolean }) {
  const { id, name } = profile;
  const posts = usePosts(() => openWall(id));
  return (
    <div className={styles.column}>
      <ProfileHead profile={profile} isOwn={isOwn} />
      {!profile.blockedByMe && <Composer {...(isOwn ? {} : { wall: { id, name } })} onPosted={posts.put} />}
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
