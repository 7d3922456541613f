/** Decides which of the simulated keys to recommend, with a reason for each. Pure. */
import type { SimulatedOutcome } from './shard-simulation.js';
import type { CandidateKey } from './shard-subject.js';

interface WeighedKey {
  readonly isRecommended: boolean;
  /** The reason, based on the figures. */
  readonly note: string;
}

/** A key distributes writes about as well as the best one if its worst phase is at most this many times as bad. */
const AS_WELL = 1.5;

/**
 * Writes come first: a shard that receives most of them limits the whole cluster, and a chunk that cannot be split remains a problem.
 * Among the keys that distribute writes about as well as the best one, the key whose queries contact the fewest shards wins.
 */
export function weigh(keys: readonly CandidateKey[], outcomes: readonly SimulatedOutcome[]): WeighedKey[] {
  const best = pick(outcomes);
  return outcomes.map((outcome, index) => {
    const isRecommended = outcome === best;
    const caveat = keys[index]?.caveat;
    const reason = isRecommended ? praise(outcome) : best ? fault(outcome, best) : '';
    return { isRecommended, note: caveat ? `${reason}. ${caveat}.` : `${reason}.` };
  });
}

function pick(outcomes: readonly SimulatedOutcome[]): SimulatedOutcome | undefined {
  const fewestJumbo = Math.min(...outcomes.map(({ jumboChunks }) => jumboChunks));
  const divisible = outcomes.filter(({ jumboChunks }) => jumboChunks === fewestJumbo);
  const evenest = Math.min(...divisible.map(({ worstPhaseShare }) => worstPhaseShare));
  return divisible
    .filter(({ worstPhaseShare }) => worstPhaseShare <= evenest * AS_WELL)
    .sort((left, right) => meanAsked(left) - meanAsked(right) || left.worstPhaseShare - right.worstPhaseShare)[0];
}

function praise(outcome: SimulatedOutcome): string {
  const { worstPhaseShare, shards } = outcome;
  return `Use this key: after the initial phase no shard receives more than ${percent(worstPhaseShare)} of the writes at a time (${percent(1 / shards)} would be even), and a query contacts ${asked(outcome)} of ${shards} shards on average`;
}

function fault(outcome: SimulatedOutcome, best: SimulatedOutcome): string {
  const { worstPhaseShare, jumboChunks, shards } = outcome;
  if (worstPhaseShare > best.worstPhaseShare * AS_WELL) {
    const jumbo = jumboChunks > 0 ? `, and ${countJumbo(jumboChunks)}` : '';
    return `One shard receives up to ${percent(worstPhaseShare)} of the writes at a time, where ${percent(best.worstPhaseShare)} is possible${jumbo}`;
  }
  if (jumboChunks > best.jumboChunks) return sentence(countJumbo(jumboChunks));
  const isEvener = outcome.hottestShardShare * AS_WELL < best.hottestShardShare;
  if (asked(outcome) === asked(best) && !isEvener) return 'This key performs about as well';
  // In a small sample, a part may be a few documents of one shard with every key.
  const distribution = isEvener
    ? `Over the whole sample, one shard receives at most ${percent(outcome.hottestShardShare)} of the writes instead of ${percent(best.hottestShardShare)}, but as many at the worst time, and`
    : 'This key distributes the writes about as well, but';
  return `${distribution} a query contacts ${asked(outcome)} of ${shards} shards on average instead of ${asked(best)}`;
}

const countJumbo = (chunks: number): string =>
  chunks === 1
    ? 'a chunk with a single key value is too large and can be neither split nor moved'
    : `${chunks} chunks with a single key value each are too large and can be neither split nor moved`;
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The average over all queries, equally weighted. */
function meanAsked({ queries }: SimulatedOutcome): number {
  return queries.reduce((sum, { shardsAsked }) => sum + shardsAsked, 0) / Math.max(1, queries.length);
}

const asked = (outcome: SimulatedOutcome): string => String(Math.round(meanAsked(outcome) * 10) / 10);
const percent = (share: number): string => `${Math.round(share * 100)}%`;
