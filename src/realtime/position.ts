/**
 * A place in the change stream: a cluster time, and how many of that time's events lie before the place. The stream orders events
 * by cluster time, and those of one cluster time (a transaction's, or of different shards) always alike, so the count names one
 * place on every process. Unlike a resume token it is short and tells nothing of what was changed.
 */
import type { ClusterTime } from '../shared/cluster-time.js';

export interface Position {
  readonly time: ClusterTime;
  /** Events of this cluster time that lie before; WHOLE_TIME: all of them. */
  readonly index: number;
}

/** A snapshot at a cluster time holds all that was committed at it. */
export const WHOLE_TIME = 0xffffffff;

/** @returns negative, zero or positive, as sort functions want it */
export function comparePositions(left: Position, right: Position): number {
  if (left.time !== right.time) return left.time < right.time ? -1 : 1;
  return left.index - right.index;
}

export function laterPosition(left: Position, right: Position): Position {
  return comparePositions(left, right) < 0 ? right : left;
}
