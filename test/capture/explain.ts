/** Explains query shapes and judges the plans: an index for every query, no sort in memory, no more documents read than needed. */
import { type Db, type Document, MongoServerError } from 'mongodb';
import type { QueryShape } from './query-shape.js';

export interface Plan {
  /** Names of all stages, including those of `$lookup`, `$unionWith` and the aggregation itself. */
  readonly stages: readonly string[];
  readonly documentsExamined: number;
  readonly returned: number;
}

/** Defects that an exemption may allow. */
export type PlanFault = 'COLLSCAN' | 'SORT' | 'EOF' | 'EXAMINED';

const EXAMINED_PER_RETURNED = 3;
const EXAMINED_FREE = 20; // small collections: a few documents more cost nothing

export async function explain(db: Db, shape: QueryShape): Promise<Plan> {
  const answer = await explainCommand(db, shape.command).catch((error: unknown) => {
    const isSeries = error instanceof MongoServerError && error.code === VIEW_NOT_SUPPORTED && shape.write;
    if (!isSeries) throw error;
    return explainCommand(db, { find: shape.collection, filter: shape.write?.filter });
  });
  return { stages: stageNames(answer), ...executionTotals(answer) };
}

/** MongoDB 6.0 does not explain deletes from a time series: the filter matches the same as a query. */
const VIEW_NOT_SUPPORTED = 166;

function explainCommand(db: Db, command: Document): Promise<Document> {
  // Without validation: long texts are truncated, possibly within a character.
  return db.command({ explain: command, verbosity: 'executionStats' }, { enableUtf8Validation: false });
}

/**
 * Stage names differ by version (`IXSCAN`, `EXPRESS_IXSCAN`, `CLUSTERED_IXSCAN`, `IDHACK`), so the check is for the absence of bad
 * ones. `SORT_MERGE` merges sorted index scans and buffers nothing; `SORT` and `$sort` do.
 */
export function faultsOf(plan: Plan): PlanFault[] {
  const faults: PlanFault[] = [];
  if (plan.stages.includes('COLLSCAN')) faults.push('COLLSCAN');
  if (plan.stages.includes('SORT') || plan.stages.includes('$sort')) faults.push('SORT');
  if (plan.stages.includes('EOF')) faults.push('EOF'); // the collection does not exist: it is not declared
  if (plan.documentsExamined > EXAMINED_PER_RETURNED * plan.returned + EXAMINED_FREE) faults.push('EXAMINED');
  return faults;
}

/** Walks the whole result: the place of plans differs between finds, pipelines, shards and the two execution engines. */
function stageNames(node: unknown, names: string[] = []): string[] {
  if (Array.isArray(node)) {
    for (const item of node) stageNames(item, names);
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'stage' && typeof value === 'string') names.push(value);
      if (key === 'strategy' && (value === 'HashJoin' || value === 'NestedLoopJoin')) names.push('COLLSCAN'); // $lookup without an index
      if (key.startsWith('$') && /^\$[a-z]/i.test(key) && 'nReturned' in node) names.push(key); // a stage of a pipeline
      if (key !== 'rejectedPlans' && key !== 'command' && key !== 'parsedQuery') stageNames(value, names);
    }
  }
  return names;
}

/** The totals of the part that reads documents: for a pipeline, its first stage, `$cursor`. */
function executionTotals(answer: Document): { documentsExamined: number; returned: number } {
  const stats: Document | undefined =
    answer.executionStats ?? answer.stages?.[0]?.$cursor?.executionStats ?? Object.values(answer.shards ?? {})[0];
  const stage: Document = stats?.executionStages ?? {}; // writes and counts return no documents: use the number of matches
  return {
    documentsExamined: Number(stats?.totalDocsExamined ?? 0),
    returned: Math.max(
      ...[stats?.nReturned, stage.nMatched, stage.nWouldDelete, stage.nCounted].map((n) => Number(n ?? 0)),
    ),
  };
}
