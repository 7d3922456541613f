/** Pages of a list of which the caller does not see everything. */
import type { Connection, PageInput } from '../../shared/page.js';

const ROUNDS_MAX = 20;
const REFILL_MIN = 50;

/**
 * Reads on until the page is full or the list ends, at most 20 times.
 * @param read a page without what the caller does not see, and with the `pageInfo` of all that was read
 */
export async function refilled<T>(
  { first, after }: PageInput,
  read: (page: PageInput) => Promise<Connection<T>>,
): Promise<Connection<T>> {
  const edges: Connection<T>['edges'][number][] = [];
  let { edges: some, pageInfo } = await read({ first, after });
  for (let round = 1; ; round += 1) {
    edges.push(...some);
    const full = edges.slice(0, first);
    if (edges.length > first)
      return { edges: full, pageInfo: { hasNextPage: true, endCursor: full.at(-1)?.cursor ?? null } };
    if (edges.length === first || !pageInfo.hasNextPage || round === ROUNDS_MAX) return { edges, pageInfo };
    ({ edges: some, pageInfo } = await read({ first: Math.max(first, REFILL_MIN), after: pageInfo.endCursor }));
  }
}
