/** Cluster times as text of fixed width, so that comparing the text compares the times. */

/** 16 hexadecimal digits: seconds, then the count within the second. */
export type ClusterTime = string;

/** A BSON timestamp: seconds in the high half, a count within the second in the low half. */
interface TimestampHalves {
  readonly high: number;
  readonly low: number;
}

export function formatClusterTime({ high, low }: TimestampHalves): ClusterTime {
  return hex32(high) + hex32(low);
}

/** @param time from formatClusterTime */
export function clusterTimeParts(time: ClusterTime): { t: number; i: number } {
  return { t: Number.parseInt(time.slice(0, 8), 16), i: Number.parseInt(time.slice(8), 16) };
}

/** The latest time before another. */
export function previousClusterTime(time: ClusterTime): ClusterTime {
  return (BigInt(`0x${time}`) - 1n).toString(16).padStart(16, '0');
}

/** @returns milliseconds since 1970, whole seconds */
export function clusterTimeMs(time: ClusterTime): number {
  return clusterTimeParts(time).t * 1000;
}

const hex32 = (signed: number) => (signed >>> 0).toString(16).padStart(8, '0');
