/** @returns the first item with the greatest weight; undefined when there are none */
export function greatest<T>(items: Iterable<T>, weightOf: (item: T) => number): T | undefined {
  let found: T | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const weight = weightOf(item);
    if (weight <= most) continue;
    found = item;
    most = weight;
  }
  return found;
}
