/** How long ago something was, as a link to it, if there is an address. The exact time shows on hover and focus. */
import { useCallback } from 'react';
import { useClock } from '../../kit/base/clock.js';
import { formatAgo, formatDate, formatMoment } from '../../kit/base/format.js';
import { Link } from '../../kit/controls/link.js';
import styles from './when.module.css';

const CLOCK_MS = 10_000;
const DAY_MS = 86_400_000;
/** Older than this, the date says more. */
const AGO_MS = 7 * DAY_MS;

function wordsFor(moment: number, now: number): string {
  const age = now - moment;
  if (age < 60_000) return 'just now';
  if (age >= AGO_MS) return formatDate(moment);
  if (age >= DAY_MS) return `${Math.floor(age / DAY_MS)} d ago`;
  if (age >= DAY_MS / 24) return `${Math.floor(age / (DAY_MS / 24))} h ago`;
  return formatAgo(moment, now);
}

export function When({ at, href }: { at: string; href: string | null }) {
  const moment = Date.parse(at);
  const ago = useClock(
    CLOCK_MS,
    useCallback((now: number) => wordsFor(moment, now), [moment]),
  );
  const exact = `${formatMoment(moment)} UTC`;
  const time = <time dateTime={at}>{ago}</time>;
  if (href === null) return <span title={exact}>{time}</span>;
  return (
    <Link className={styles.when} href={href} data-exact={exact}>
      {time}
    </Link>
  );
}
