/** A query plan from its source to its result: each stage consumes the output of the one before. */
import { graphql } from '../../../generated/gql.js';
import type { ExplainEventsQuery } from '../../../generated/graphql.js';
import { formatCount } from '../base/format.js';
import { Icon } from './icon.js';
import styles from './plan.module.css';

export const ExplainEventsDocument = graphql(`
  query ExplainEvents($filter: EventFilter!, $query: LogQuery!) {
    explainEvents(filter: $filter, query: $query) {
      stages indexName keysExamined documentsExamined returned milliseconds
    }
  }
`);

type Explanation = ExplainEventsQuery['explainEvents'];

/** What the stages do, in plain words. Stages not listed here are self-explanatory. */
const meanings: Record<string, string> = {
  COLLSCAN: 'reads the whole collection',
  COUNT_SCAN: 'counts index keys',
  FETCH: 'reads the documents',
  GROUP: 'aggregates',
  IXSCAN: 'scans an index',
  LIMIT: 'stops when it has enough',
  PROJECTION_COVERED: 'reads the fields from the index alone',
  PROJECTION_DEFAULT: 'keeps the requested fields',
  PROJECTION_SIMPLE: 'keeps the requested fields',
  SORT: 'sorts in memory',
  SORT_MERGE: 'merges sorted inputs',
};

const alarming = new Set(['COLLSCAN', 'SORT']);

export function Plan({ plan }: { plan: Explanation }) {
  const { stages, indexName, keysExamined, documentsExamined, returned, milliseconds } = plan;
  const widest = Math.max(1, keysExamined, documentsExamined, returned);
  return (
    <div className={styles.plan}>
      <ol className={styles.stages} aria-label="Stages, from source to result">
        {stages.toReversed().map((stage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stage may occur twice, and the order is fixed by the plan
          <li key={index} data-alarming={alarming.has(stage)}>
            <strong>{stage}</strong>
            <span>{meanings[stage] ?? ''}</span>
            {stage.endsWith('SCAN') && indexName && <code>{indexName}</code>}
          </li>
        ))}
      </ol>
      {indexName === null && (
        <p className={styles.warning}>
          <Icon name="warning" /> No index was used.
        </p>
      )}
      <dl className={styles.measures}>
        <Measure name="Index keys examined" value={keysExamined} widest={widest} />
        <Measure name="Documents examined" value={documentsExamined} widest={widest} />
        <Measure name="Documents returned" value={returned} widest={widest} />
      </dl>
      <p className="note">{formatCount(milliseconds)} ms in the database</p>
    </div>
  );
}

function Measure({ name, value, widest }: { name: string; value: number; widest: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span style={{ width: `${(100 * value) / widest}%` }} />
        {formatCount(value)}
      </dd>
    </div>
  );
}
