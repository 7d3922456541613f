/** How far an own new post is on its way into the news of its readers. */
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { useClock } from '../../kit/base/clock.js';
import { formatCount } from '../../kit/base/format.js';
import { isMoving } from '../../kit/display/work-state.js';
import { PostReachDocument } from '../data/documents.js';
import type { Post } from '../data/post-list.js';

const POLL_MS = 1_000;
const TICK_MS = 30_000;
/** Afterwards nobody wonders any more: “Who can see this?” still tells. */
const OF_INTEREST_MS = 10 * 60_000;

export function DeliveryNote({ post: { id, postedAt } }: { post: Post }) {
  const posted = Date.parse(postedAt);
  const isNew = useClock(TICK_MS, (now) => now - posted < OF_INTEREST_MS);
  return isNew && <Delivery id={id} />;
}

function Delivery({ id }: { id: string }) {
  const { data, again } = useData(PostReachDocument, { id });
  const fanOut = data?.fanOut;
  const isOnTheWay = fanOut != null && isMoving(fanOut.state);
  usePolling(again, isOnTheWay ? POLL_MS : null);
  if (!fanOut) return null;
  const { way, done, total, failure } = fanOut;
  if (failure) return <span role="alert">delivery is late: {failure}</span>;
  if (way === 'READ') return <span>in the news of all readers</span>;
  if (isOnTheWay)
    return (
      <span role="status">
        delivered to {formatCount(done)} {total == null ? 'so far' : `of ${formatCount(total)}`}
      </span>
    );
  return done > 0 && <span role="status">delivered to {formatCount(done)}</span>;
}
