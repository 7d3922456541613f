/**
 * The server's explanation of how it ran a query. Its structure differs between finds and pipelines, between the two execution
 * engines, between unsharded and sharded collections, and between versions. So the whole result is searched for plans, and stage names
 * are passed through: `IXSCAN`, `EXPRESS_IXSCAN` (8.0), `CLUSTERED_IXSCAN`, `IDHACK`.
 */
import type { Document } from 'mongodb';

export interface Explanation {
  /** Outermost first; a pipeline's own stages start with `$`. */
  readonly stages: readonly string[];
  /** The first index that was used. */
  readonly indexName: string | null;
  readonly keysExamined: number;
  readonly documentsExamined: number;
  readonly returned: number;
  readonly milliseconds: number;
}

/** @param answer the result of explain with verbosity `executionStats` */
export function readExplanation(answer: Document): Explanation {
  const plans: Document[] = [];
  const statistics: Document[] = [];
  const pipeline: Document[] = [];
  collect(answer, plans, statistics, pipeline);
  const nodes = plans.flatMap((plan) => planNodes(plan));
  const own = pipeline.map((stage) => Object.keys(stage)[0] ?? '').filter((name) => name !== '$cursor');
  const last = pipeline.at(-1);
  const times = [...statistics.map((each) => each.executionTimeMillis), last?.executionTimeMillisEstimate];
  return {
    stages: [...own.reverse(), ...nodes.map((node) => String(node.stage))],
    indexName: nodes.map((node) => node.indexName ?? (node.stage === 'IDHACK' ? '_id_' : null)).find(Boolean) ?? null,
    keysExamined: sum(statistics, 'totalKeysExamined'),
    documentsExamined: sum(statistics, 'totalDocsExamined'),
    returned: Number(last?.nReturned ?? sum(statistics, 'nReturned')),
    milliseconds: Math.max(...times.map((time) => Number(time ?? 0))),
  };
}

/** Collects the plans, statistics and pipeline stages from the result, of one server or many. */
function collect(node: unknown, plans: Document[], statistics: Document[], pipeline: Document[]): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'winningPlan') plans.push(value);
    else if (key === 'executionStats') statistics.push(value);
    else if (key === 'stages' && Array.isArray(value)) {
      pipeline.push(...(value as Document[]));
      collect(value, plans, statistics, pipeline);
    } else if (!NOT_PLANS.has(key)) collect(value, plans, statistics, pipeline);
  }
}

const NOT_PLANS = new Set([
  'rejectedPlans',
  'parsedQuery',
  'command',
  'slotBasedPlan',
  'executionStages',
  'serverInfo',
]);

/** The nodes of a plan, outermost first. */
function planNodes(node: unknown): Document[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node)
    .filter(([key]) => !NOT_PLANS.has(key))
    .flatMap(([, value]) => planNodes(value));
  return 'stage' in node && typeof node.stage === 'string' ? [node, ...below] : below;
}

const sum = (parts: readonly Document[], field: string): number =>
  parts.reduce((total, part) => total + Number(part[field] ?? 0), 0);
