/** The viewer and the viewer's circles, beside the news where there is room. */
import type { OwnCircleFragment } from '../../../generated/graphql.js';
import { formatCount, formatCountOf } from '../../kit/base/format.js';
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { Skeleton, SkeletonRows } from '../../kit/display/skeleton.js';
import { Face } from '../parts/face.js';
import type { Profile } from './find.js';
import styles from './own-card.module.css';

interface OwnCardProps {
  readonly own: Profile;
  /** Null while they are loading. */
  readonly circles: readonly OwnCircleFragment[] | null;
}

export function OwnCard({ own: { name, picture, followerCount, followingCount }, circles }: OwnCardProps) {
  return (
    <aside className={styles.side} aria-label="You and your circles">
      <Link href="/social/wall" className={`card ${styles.own}`}>
        <Face name={name} src={picture?.small} size={48} />
        <span className={styles.name}>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <span className="note">
            {formatCountOf(followerCount, 'follower')} · follows {formatCount(followingCount)}
          </span>
        </span>
      </Link>
      <Card title="Your circles" aside={<Link href="/social/circles">Change</Link>}>
        {!circles && <SkeletonRows rows={3} />}
        {circles?.length === 0 && <p className="note">You have none yet. Nobody else sees them.</p>}
        <ul className={styles.circles}>
          {circles?.map((circle) => (
            <li key={circle.id}>
              <span className="cut" dir="auto">
                {circle.name}
              </span>
              <span className="note">{formatCount(circle.memberCount)}</span>
            </li>
          ))}
        </ul>
      </Card>
    </aside>
  );
}

export const OwnCardSkeleton = () => (
  <aside className={styles.side} aria-hidden="true">
    <div className={`card ${styles.own}`}>
      <span className={styles.round}>
        <Skeleton width="48px" height="48px" />
      </span>
      <Skeleton width="60%" height="20px" />
    </div>
    <Card title="Your circles">
      <SkeletonRows rows={3} />
    </Card>
  </aside>
);
