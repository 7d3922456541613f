/** Statistics over rounds. */

/** @param part 0.5 for the median, 0.99 for p99 */
export function percentile(values: ArrayLike<number>, part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** One value per round and contestant. The machine drifts, so ratios are taken within each round. */
export class Rounds {
  readonly #values = new Map<string, number[]>();

  add(contestant: string, value: number): void {
    const values = this.#values.get(contestant) ?? [];
    this.#values.set(contestant, values);
    values.push(value);
  }

  median(contestant: string): number {
    return median(this.#values.get(contestant) ?? []);
  }

  /** The median of the per-round ratios; NaN if one of them was not measured. */
  ratio(contestant: string, base: string): number {
    const bases = this.#values.get(base) ?? [];
    return median((this.#values.get(contestant) ?? []).map((value, round) => value / (bases[round] ?? Number.NaN)));
  }

  /** Largest divided by smallest: above 1.5, differences below 15 % are not significant. */
  spread(contestant: string): number {
    const values = this.#values.get(contestant) ?? [];
    return Math.max(...values) / Math.min(...values);
  }
}
