/**
 * Rebuilding the news of a person, in the background: compared with the posts of everybody who may write what belongs there, and of whom
 * there is anything. Each pair is compared as after a change of their relation, under the same guard (`comparison.ts`), so people may
 * follow and post meanwhile.
 */
import type { Db } from 'mongodb';
import type { WorkKindDeclaration } from '../../domain.js';
import type { Act } from '../../people/audit.js';
import { findLatestWork, seriesOf, startNumberedWork } from '../../system/work/numbered-work.js';
import type { WorkDocument } from '../../work.js';
import { type Pair, takePair } from '../delivery/delivery.js';
import { readFollowerPages } from '../network/follower.js';
import { findPerson } from '../network/person.js';
import { compareNext } from './comparison.js';
import { findReferredAuthors } from './news-page.js';

interface RebuildInput {
  readonly person: string;
}

interface Position {
  /** Authors up to this one are compared. */
  readonly author: string;
}

const PAGES_AT_ONCE = 10;
const LEASE_MS = 10_000;

export const newsRebuild: WorkKindDeclaration<unknown> = {
  name: 'news-rebuild',
  type: 'NewsRebuild',
  async run(held) {
    const { person } = held.work.input as RebuildInput;
    const authors = await findAuthors(held.db, person);
    const { author: done } = (held.work.position as Position | undefined) ?? { author: '' };
    if (done === '') await held.step({ total: authors.length });
    for (const author of authors.filter((id) => id > done)) {
      const wrong = await compareAll(held.db, { reader: person, author }, held.now());
      await held.step({ position: { author } satisfies Position, done: 1, counts: { wrong } });
    }
  },
};

/** @returns how much was wrong */
async function compareAll(db: Db, pair: Pair, now: Date): Promise<number> {
  const taken = await takePair(db, pair, now, new Date(now.getTime() + LEASE_MS));
  for (let wrong = 0; ; ) {
    const compared = await compareNext(db, taken, LEASE_MS);
    if (!compared) return wrong; // the two have become related otherwise: a courier compares them
    wrong += compared.wrong;
    if (compared.last === null) return wrong;
  }
}

/**
 * Whoever may write what belongs to the news: the person, whom the person follows, who has the person in a circle, and of whom there
 * is a reference. By id.
 */
async function findAuthors(db: Db, id: string): Promise<string[]> {
  const person = await findPerson(db, id);
  const authors = await findReferredAuthors(db, id);
  for (const author of [id, ...(person?.following.map((followed) => followed.id) ?? [])]) authors.add(author);
  for (let after = 0; ; ) {
    const pages = await readFollowerPages(db, id, after, PAGES_AT_ONCE);
    for (const { followers } of pages) for (const follower of followers) authors.add(follower.id);
    const last = pages.at(-1);
    if (!last) return [...authors].sort();
    after = last.number;
  }
}

/** A rebuild of the same person that has not ended is returned instead. @throws LimitError */
export async function startRebuild(db: Db, act: Act, owner: string, person: string): Promise<WorkDocument> {
  // A series for each person: of two who ask at once, the slower one gets the work of the quicker, which must be of the same person.
  const series = seriesOf(newsRebuild.name, person);
  const latest = await findLatestWork(db, series);
  if (latest?.open) return latest;
  const input: RebuildInput = { person };
  return startNumberedWork(db, latest, { kind: newsRebuild, series, owner, input }, act, {
    action: 'NEWS_REBUILT',
    subject: person,
    detail: (await findPerson(db, person))?.name ?? '',
  });
}
