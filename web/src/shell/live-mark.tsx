/** The connection status badge: whether the page shows current data. */
import { connectionStore, lagStore, lastEventStore, type Phase } from '../api/socket.js';
import { useClock } from '../kit/base/clock.js';
import { formatAgo, formatMoment, formatSpan } from '../kit/base/format.js';
import { useStore } from '../kit/base/store.js';
import styles from './live-mark.module.css';

const words: Record<Phase, string> = {
  connecting: 'Connecting',
  live: 'Live',
  'catching-up': 'Catching up',
  offline: 'Offline',
};
const BEHIND = 'Behind';

export function LiveMark() {
  const { phase, since } = useStore(connectionStore);
  const lastEvent = useStore(lastEventStore);
  const lagMs = useStore(lagStore);
  const isBehind = phase === 'live' && lagMs > 0;
  const detail = useClock(1000, (now) => {
    if (phase === 'offline') return `since ${formatAgo(since, now).replace(' ago', '')}`;
    if (isBehind) return `by ${formatSpan(Math.round(lagMs / 1000))}`;
    return lastEvent === null ? '' : formatAgo(lastEvent, now);
  });
  const lastSeen =
    lastEvent === null ? 'No event received yet' : `Last event received on ${formatMoment(lastEvent)} UTC`;
  const title = isBehind ? `The server is not receiving changes from its database. ${lastSeen}` : lastSeen;
  return (
    <div className={styles.mark} data-phase={isBehind ? 'behind' : phase} title={title}>
      <span className={styles.dot} />
      <span role="status">{isBehind ? BEHIND : words[phase]}</span>
      <span className={styles.detail}>{detail}</span>
    </div>
  );
}
