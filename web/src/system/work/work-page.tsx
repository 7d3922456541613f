/** Background work of all domains: imports, exports, sample data and migrations, live while they run. */
import { useCallback, useState } from 'react';
import type { BackgroundWorkQuery, WorkState } from '../../../generated/graphql.js';
import { useDomain } from '../../api/use-domain.js';
import { Card } from '../../kit/display/card.js';
import { Empty } from '../../kit/display/notice.js';
import { isMoving, workStates } from '../../kit/display/work-state.js';
import { PagedTable } from '../../kit/lists/paged-table.js';
import { ACTIONS } from '../../kit/lists/table.js';
import { useRole } from '../../shell/access.js';
import { NodeMigrationCard } from './node-migration-card.js';
import { BackgroundWorkDocument } from './work.js';
import styles from './work-page.module.css';
import { WorkRow } from './work-row.js';

const connectionOf = (data: BackgroundWorkQuery) => data.backgroundWork;

/** How many of the listed works are followed live. One person can hardly have more at once. The others are as of the last poll. */
const FOLLOWED_MAX = 20;

export function WorkPage() {
  const administers = useRole('ADMIN');
  const hasContent = useDomain('content');
  const [state, setState] = useState<WorkState | null>(null);
  const [own, setOwn] = useState(false);
  const [news, setNews] = useState(0);
  const refresh = useCallback(() => setNews((before) => before + 1), []);
  return (
    <div className={styles.page}>
      <Card title="Background work" aside={<span className="note">newest first, times in UTC</span>}>
        <div className={styles.filters}>
          <select
            className="input"
            aria-label="State"
            value={state ?? ''}
            onChange={(event) => setState((event.target.value || null) as WorkState | null)}
          >
            <option value="">All states</option>
            {workStates.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
          {administers && (
            <label className="check">
              <input type="checkbox" checked={own} onChange={(event) => setOwn(event.target.checked)} />
              Only what I started
            </label>
          )}
        </div>
        <PagedTable
          key={`${state} ${own}`}
          label="Background work"
          query={BackgroundWorkDocument}
          variables={{ state, own }}
          connectionOf={connectionOf}
          news={news}
          columns={['Work', 'State', 'Started', 'Ended', ACTIONS]}
          rows={(edges) => {
            const followed = edges.filter(({ node }) => isMoving(node.state)).slice(0, FOLLOWED_MAX);
            return edges.map((edge) => (
              <WorkRow key={edge.cursor} listed={edge.node} follows={followed.includes(edge)} onChange={refresh} />
            ));
          }}
          empty={
            <Empty icon="history" title={state ? 'Nothing is in this state' : 'Nothing has run in the last 30 days'}>
              Imports, exports, sample data and migrations show here while they run, and for 30 days after.
            </Empty>
          }
        />
      </Card>
      {administers && hasContent && <NodeMigrationCard onChange={refresh} />}
    </div>
  );
}
