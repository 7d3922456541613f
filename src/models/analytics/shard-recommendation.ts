/** Which of the simulated keys is to be taken, and why, in one sentence for each. Pure. */
import type { SimulatedOutcome } from './shard-simulation.js';
import type { CandidateKey } from './shard-subject.js';

interface WeighedKey {
  readonly isRecommended: boolean;
  /** The reason, from the figures. */
  readonly note: string;
}

/** Keys whose worst phase is so many times that of the best key spread the writes about as well. */
const AS_WELL = 1.5;

/**
 * Writes first: a shard that takes most of them is the whole cluster's limit, and a chunk that cannot be split stays one. Among the keys
 * that spread them about as well as the best one does, the one whose queries ask the fewest shards.
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
  return `Take this one: after the start no shard gets more than ${percent(worstPhaseShare)} of the writes at a time (${percent(1 / shards)} is even), and a query asks ${asked(outcome)} of ${shards} shards on average`;
}

function fault(outcome: SimulatedOutcome, best: SimulatedOutcome): string {
  const { worstPhaseShare, jumboChunks, shards } = outcome;
  if (worstPhaseShare > best.worstPhaseShare * AS_WELL) {
    const jumbo = jumboChunks > 0 ? `, and ${countJumbo(jumboChunks)}` : '';
    return `One shard gets up to ${percent(worstPhaseShare)} of the writes at a time, where ${percent(best.worstPhaseShare)} is possible${jumbo}`;
  }
  if (jumboChunks > best.jumboChunks) return sentence(countJumbo(jumboChunks));
  if (asked(outcome) === asked(best)) return 'It does about as well';
  return `It spreads the writes about as well, but a query asks ${asked(outcome)} of ${shards} shards on average instead of ${asked(best)}`;
}

const countJumbo = (chunks: number): string =>
  chunks === 1
    ? 'a chunk of one value is too large and can be neither split nor moved'
    : `${chunks} chunks of one value each are too large and can be neither split nor moved`;
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Over all queries of the product, each counting the same. */
function meanAsked({ queries }: SimulatedOutcome): number {
  return queries.reduce((sum, { shardsAsked }) => sum + shardsAsked, 0) / Math.max(1, queries.length);
}

const asked = (outcome: SimulatedOutcome): string => String(Math.round(meanAsked(outcome) * 10) / 10);
const percent = (share: number): string => `${Math.round(share * 100)}%`;
