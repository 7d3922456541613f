/** What everybody may see, in the order of publication, for search engines. */
import type { Db } from 'mongodb';
import { type NodeDocument, nodes } from '../nodes/node.js';

export type PublicNode = Pick<NodeDocument, '_id' | 'parent_id' | 'slug' | 'edited' | 'published'>;

const shown = { _id: 1, parent_id: 1, slug: 1, edited: 1, published: 1 } as const;

/** The filter names the announced state for the index `{state, published}`: a node appears here a moment after its time. */
const publicBetween = (from: Date, now: Date) => ({
  state: 'PUBLISHED' as const,
  published: { $gte: from, $lte: now },
});

/** Those that were published from a time on, oldest first. */
export const findPublicFrom = (db: Db, from: Date, limit: number, now: Date): Promise<PublicNode[]> =>
  nodes(db).find(publicBetween(from, now)).sort({ published: 1 }).limit(limit).project<PublicNode>(shown).toArray();

/**
 * Times that divide them into parts of a size. Reads the index only. Nodes of exactly such a time may be in two parts; if more nodes than
 * fit into a part were published in the same millisecond, the last ones of these are in none.
 * @param partsMax more are not looked for
 */
export async function findPartStarts(db: Db, size: number, partsMax: number, now: Date): Promise<Date[]> {
  const starts: Date[] = [];
  let next = await timeAt(db, new Date(0), 0, now);
  while (next && starts.length < partsMax) {
    starts.push(next);
    const end: Date | null = await timeAt(db, next, size, now);
    next = end && end.getTime() === next.getTime() ? await timeAt(db, new Date(end.getTime() + 1), 0, now) : end;
  }
  return starts;
}

/** The time of publication of the node after so many others. */
async function timeAt(db: Db, from: Date, others: number, now: Date): Promise<Date | null> {
  const [found] = await nodes(db)
    .find(publicBetween(from, now))
    .sort({ published: 1 })
    .skip(others)
    .limit(1)
    .project<Pick<NodeDocument, 'published'>>({ _id: 0, published: 1 })
    .toArray();
  return found?.published ?? null;
}
