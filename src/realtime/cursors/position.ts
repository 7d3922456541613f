/**
 * A position in the change stream: a cluster time, and how many of that time's events lie before it. The stream orders events by
 * cluster time, and those of one cluster time (of a transaction, or of different shards) always in the same way, so the count
 * names the same position on every process. Unlike a resume token it is short and reveals nothing about the change.
 */
import type { ClusterTime } from '../../shared/cluster-time.js';

export interface Position {
  readonly time: ClusterTime;
  /** Events of this cluster time that lie before; WHOLE_TIME: all of them. */
  readonly index: number;
}

/** A snapshot at a cluster time includes everything committed at it. */
export const WHOLE_TIME = 0xffffffff;

/** @returns negative, zero or positive, as sort functions expect */
export function comparePositions(left: Position, right: Position): number {
  if (left.time !== right.time) return left.time < right.time ? -1 : 1;
  return left.index - right.index;
}

export function laterPosition(left: Position, right: Position): Position {
  return comparePositions(left, right) < 0 ? right : left;
}
