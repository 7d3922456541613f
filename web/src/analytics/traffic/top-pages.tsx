/** The pages with the most hits as bars. Selecting one shows its chart. */
import { useState } from 'react';
import { formatCountOf, formatShare } from '../../kit/base/format.js';
import { Bar } from '../../kit/display/bar.js';
import { Card } from '../../kit/display/card.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import styles from './top-pages.module.css';
import { useTopPages } from './use-top-pages.js';
import type { Span } from './view.js';

const SHORT = 10;
const LONG = 100;

interface TopPagesProps {
  readonly site: string;
  readonly page: string | null;
  readonly span: Span;
  readonly onChoose: (page: string) => void;
}

export function TopPagesCard({ site, page, span, onChoose }: TopPagesProps) {
  const [first, setFirst] = useState(SHORT);
  const { pages, live, error } = useTopPages(site, span, first);
  const most = pages?.[0]?.count ?? 0;
  const all = pages?.reduce((total, { count }) => total + count, 0) ?? 0;
  return (
    <Card
      title="Top pages"
      aside={<span className="note">{live ? 'live' : 'in the range shown'}</span>}
      bodyClass={styles.body}
    >
      {error && <Notice tone="bad">{error}</Notice>}
      {!pages && !error && <SkeletonRows rows={SHORT} height="28px" />}
      {pages?.length === 0 && (
        <Empty icon="page" title="No hits in this range">
          Choose a longer range above, or drag over the history below the chart.
        </Empty>
      )}
      <ol className={styles.list}>
        {pages?.map(({ page: name, count }) => (
          <li key={name}>
            <Bar
              name={name}
              count={count}
              most={most}
              chosen={name === page}
              onChoose={() => onChoose(name)}
              title={`${name}: ${formatCountOf(count, 'hit')}, ${formatShare(count / all)} of all listed hits`}
            />
          </li>
        ))}
      </ol>
      {(first === LONG || pages?.length === SHORT) && (
        <button type="button" className="button quiet" onClick={() => setFirst(first === LONG ? SHORT : LONG)}>
          {first === LONG ? `Show ${SHORT}` : `Show ${LONG}`}
        </button>
      )}
    </Card>
  );
}
