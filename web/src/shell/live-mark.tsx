/** Whether what is shown is the present. */
import { connectionStore, lastEventStore, type Phase } from '../live/socket.js';
import { useClock } from '../parts/clock.js';
import { formatAgo, formatMoment } from '../parts/format.js';
import { useStore } from '../parts/store.js';
import styles from './live-mark.module.css';

const words: Record<Phase, string> = {
  connecting: 'Connecting',
  live: 'Live',
  'catching-up': 'Catching up',
  offline: 'Offline',
};

export function LiveMark() {
  const { phase, since } = useStore(connectionStore);
  const lastEvent = useStore(lastEventStore);
  const detail = useClock(1000, (now) => {
    if (phase === 'offline') return `since ${formatAgo(since, now).replace(' ago', '')}`;
    return lastEvent === null ? '' : formatAgo(lastEvent, now);
  });
  const title = lastEvent === null ? 'No event has come yet' : `The last event came on ${formatMoment(lastEvent)} UTC`;
  return (
    <div className={styles.mark} data-phase={phase} title={title}>
      <span className={styles.dot} />
      <span role="status">{words[phase]}</span>
      <span className={styles.detail}>{detail}</span>
    </div>
  );
}
