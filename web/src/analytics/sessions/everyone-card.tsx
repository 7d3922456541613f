/** All users with sessions in a period, page by page. */
import type { RollUpLevel, SessionStatsQuery } from '../../../generated/graphql.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty } from '../../kit/display/notice.js';
import { PagedTable } from '../../kit/lists/paged-table.js';
import { slotLabel } from '../chart/chart-labels.js';
import { slotEnd, slotStart } from '../chart/slots.js';
import styles from './everyone-card.module.css';
import { SessionStatsDocument } from './session-data.js';
import { StatsCells } from './user-card.js';
import { levelNames } from './view.js';

const connectionOf = (data: SessionStatsQuery) => data.sessionStats;

interface EveryoneCardProps {
  readonly level: RollUpLevel;
  /** The start of the period. */
  readonly at: number;
  /** The start of the latest period with sessions. */
  readonly latest: number;
  readonly onPeriod: (at: number) => void;
  readonly onUser: (user: string) => void;
}

export function EveryoneCard({ level, at, latest, onPeriod, onUser }: EveryoneCardProps) {
  const unit = levelNames[level].toLowerCase();
  const end = slotEnd(at, level);
  const range = { from: new Date(at).toISOString(), to: new Date(end).toISOString() };
  return (
    <Card
      title={slotLabel(at, level)}
      aside={
        <div className={styles.steps}>
          <button
            type="button"
            className={`button icon ${styles.back}`}
            aria-label={`Previous ${unit}`}
            onClick={() => onPeriod(slotStart(at - 1, level))}
          >
            <Icon name="chevron" />
          </button>
          <button
            type="button"
            className={`button icon ${styles.on}`}
            aria-label={`Next ${unit}`}
            disabled={end > Date.now()}
            onClick={() => onPeriod(end)}
          >
            <Icon name="chevron" />
          </button>
        </div>
      }
    >
      <PagedTable
        key={`${level} ${at}`}
        label="Users"
        query={SessionStatsDocument}
        variables={{ level, range }}
        connectionOf={connectionOf}
        columns={['User', 'Sessions', 'Total', 'Mean']}
        rows={(edges) =>
          edges.map(({ cursor, node }) => (
            <tr key={cursor}>
              <th scope="row">
                <button type="button" className={`link ${styles.user}`} onClick={() => onUser(node.userId)}>
                  {node.userId}
                </button>
              </th>
              <StatsCells stats={node} />
            </tr>
          ))
        }
        empty={
          <Empty
            icon="user"
            title={`No sessions in this ${unit}`}
            action={
              at !== latest && (
                <button type="button" className="button" onClick={() => onPeriod(latest)}>
                  Show the latest sessions
                </button>
              )
            }
          />
        }
      />
    </Card>
  );
}
