/** How often the node was read: the hits that analytics counted for its page. The site is the host, with its port if that is unusual. */
import { useState } from 'react';
import { graphql } from '../../../generated/gql.js';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { formatCount, formatCountOf, formatDay } from '../../kit/base/format.js';
import { Card } from '../../kit/display/card.js';
import { Waiting } from '../../kit/lists/waiting.js';
import styles from './hits-card.module.css';

const NodeHitsDocument = graphql(`
  query NodeHits($id: ID!, $range: DateRange!) {
    node(id: $id) { __typename id ... on ContentNode { hits(range: $range, unit: DAY) { total points { at count } } } }
  }
`);

const DAY_MS = 86_400_000;
const DAYS = 30;
const POLL_MS = 60_000;

export function HitsCard({ id, url }: { readonly id: string; readonly url: string }) {
  const [today] = useState(() => Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const first = today - (DAYS - 1) * DAY_MS;
  const [range] = useState(() => ({
    from: new Date(first).toISOString(),
    to: new Date(today + DAY_MS).toISOString(),
  }));
  const answer = useData(NodeHitsDocument, { id, range });
  usePolling(answer.again, POLL_MS);
  const chart = answer.data?.node && 'hits' in answer.data.node ? answer.data.node.hits : undefined;
  const days = chart && daysOf(chart.points, first);
  const most = Math.max(1, ...(days ?? []).map(({ hits }) => hits));
  if (chart === null) return null; // an author opened the node of another
  return (
    <Card title="Readers" aside={<span className="note">the last {DAYS} days</span>}>
      <Waiting {...answer} data={days} rows={2} height="30px" />
      {days && (
        <figure className={styles.hits}>
          <figcaption>
            <strong>{formatCount(chart.total)}</strong> {chart.total === 1 ? 'hit' : 'hits'}
          </figcaption>
          <div className={styles.bars} aria-hidden="true">
            {days.map(({ at, hits }) => (
              <span
                key={at}
                title={`${formatDay(at)}: ${formatCountOf(hits, 'hit')}`}
                style={{ height: `${hits === 0 ? 2 : Math.max(6, (100 * hits) / most)}%` }}
              />
            ))}
          </div>
        </figure>
      )}
      {chart?.total === 0 && (
        <p className="note">
          Hits of {new URL(url).host} are counted from the moment it is registered as a site. Changes show within a
          minute.
        </p>
      )}
    </Card>
  );
}

/** The hits of each day, also of those without any. */
function daysOf(points: readonly { readonly at: string; readonly count: number }[], first: number) {
  const days = Array.from({ length: DAYS }, (_, day) => ({ at: first + day * DAY_MS, hits: 0 }));
  for (const { at, count } of points) {
    const day = days[Math.floor((Date.parse(at) - first) / DAY_MS)];
    if (day) day.hits += count;
  }
  return days;
}
