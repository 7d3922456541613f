/** The sessions of one user by period, updated live by each roll-up. */
import { useMemo, useState } from 'react';
import type { RollUpLevel } from '../../../generated/graphql.js';
import { formatCount, formatSpan } from '../../kit/base/format.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Card } from '../../kit/display/card.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import { Skeleton, SkeletonRows } from '../../kit/display/skeleton.js';
import cells from '../../kit/lists/cells.module.css';
import { Table } from '../../kit/lists/table.js';
import { ChartCanvas } from '../chart/chart-canvas.js';
import { slotLabel } from '../chart/chart-labels.js';
import { fillSlots, slotEnd, slotStart } from '../chart/slots.js';
import { type MeasureName, sessionMeasures } from './measures.js';
import { PERIODS_MAX, type Periods, type Stats, useUserPeriods } from './session-data.js';
import styles from './user-card.module.css';
import { levelNames } from './view.js';

/** The maximum number of periods in the chart, counted back from the latest one and including empty periods. */
const SLOTS_MAX = 120;

export function UserCard({ user, level }: { user: string; level: RollUpLevel }) {
  const [name, setName] = useState<MeasureName>('time');
  const { state, refused } = useUserPeriods(user, level);
  return (
    <Card
      title={user}
      aside={
        <>
          <span className="note">live</span>
          <Segmented
            label="Measure"
            value={name}
            onChange={setName}
            options={Object.entries(sessionMeasures).map(([value, { name: label }]) => ({
              value: value as MeasureName,
              label,
            }))}
          />
        </>
      }
      bodyClass={styles.body}
    >
      {refused && <Notice tone="bad">{refused}</Notice>}
      {!state && !refused && (
        <>
          <Skeleton height="240px" />
          <SkeletonRows rows={5} />
        </>
      )}
      {state?.size === 0 && (
        <Empty icon="user" title={`No sessions for ${user} yet`}>
          Sessions are rolled up within 90 seconds, and then appear here automatically.
        </Empty>
      )}
      {state && state.size > 0 && (
        <>
          <div className={styles.stage}>
            <UserChart user={user} level={level} periods={state} name={name} />
          </div>
          <PeriodTable level={level} periods={state} />
          {state.size >= PERIODS_MAX && <p className="note">The latest {PERIODS_MAX} periods with sessions.</p>}
        </>
      )}
    </Card>
  );
}

interface UserChartProps {
  readonly user: string;
  readonly level: RollUpLevel;
  readonly periods: Periods;
  readonly name: MeasureName;
}

function UserChart({ user, level, periods, name }: UserChartProps) {
  const measure = sessionMeasures[name];
  const series = useMemo(() => {
    const values = new Map([...periods].map(([at, stats]) => [at, measure.of(stats)]));
    const latest = Math.max(...periods.keys());
    return fillSlots(values, firstSlot(periods, latest, level), slotEnd(latest, level), level);
  }, [periods, level, measure]);
  const summary = `${measure.name}, sessions of ${user} by ${levelNames[level].toLowerCase()}`;
  return <ChartCanvas series={series} measure={measure} live={false} summary={summary} />;
}

/** The first period of the chart: the oldest known one, limited to `SLOTS_MAX`. */
function firstSlot(periods: Periods, latest: number, level: RollUpLevel): number {
  const oldest = Math.min(...periods.keys());
  let first = latest;
  for (let slots = 1; slots < SLOTS_MAX && first > oldest; slots += 1) first = slotStart(first - 1, level);
  return first;
}

/** Latest first. */
function PeriodTable({ level, periods }: { level: RollUpLevel; periods: Periods }) {
  const rows = [...periods].sort(([left], [right]) => right - left);
  return (
    <Table label="Periods" columns={[levelNames[level], 'Sessions', 'Total', 'Mean']}>
      <tbody>
        {rows.map(([at, stats]) => (
          <tr key={at}>
            <th scope="row">{slotLabel(at, level)}</th>
            <StatsCells stats={stats} />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

export const StatsCells = ({ stats: { count, total, mean } }: { stats: Stats }) => (
  <>
    <td>
      {formatCount(count)}
      <span className={cells.narrow}> {count === 1 ? 'session' : 'sessions'}</span>
    </td>
    <td>{formatSpan(total)}</td>
    <td>
      {formatSpan(mean)}
      <span className={cells.narrow}> each</span>
    </td>
  </>
);
