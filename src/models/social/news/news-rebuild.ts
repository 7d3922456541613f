/** Rebuilding the news of a person, in the background: compared with the posts of everybody who may write what belongs there. */
import type { Db } from 'mongodb';
import type { WorkKindDeclaration } from '../../domain.js';
import type { Act } from '../../people/audit.js';
import { findLatestWork, startNumberedWork } from '../../system/work/numbered-work.js';
import type { WorkDocument } from '../../work.js';
import { readFollowerPages } from '../network/follower.js';
import { findPerson } from '../network/person.js';
import { compareNews } from './comparison.js';
import type { Place } from './list-page.js';
import { findStrangers, removeReferences } from './news-page.js';

interface RebuildInput {
  readonly person: string;
}

interface Position {
  /** Authors up to this one are compared. */
  readonly author: string;
}

const PAGES_AT_ONCE = 10;

export const newsRebuild: WorkKindDeclaration<unknown> = {
  name: 'news-rebuild',
  type: 'NewsRebuild',
  async run(held) {
    const { person } = held.work.input as RebuildInput;
    const authors = await findAuthors(held.db, person);
    const { author: done } = (held.work.position as Position | undefined) ?? { author: '' };
    if (done === '') await held.step({ total: authors.length });
    for (const author of authors.filter((id) => id > done)) {
      let wrong = 0;
      for (let after: Place | null = null; ; ) {
        const compared = await compareNews(held.db, { reader: person, author }, after);
        wrong += compared.wrong;
        if (compared.last === null) break;
        after = compared.last;
      }
      await held.step({ position: { author } satisfies Position, done: 1, counts: { wrong } });
    }
    const strangers = await findStrangers(held.db, person, new Set(authors));
    await removeReferences(held.db, person, strangers);
    await held.step({ counts: { wrong: strangers.length } });
  },
};

/** Whoever may write what belongs to the news: the person, whom the person follows, and who has the person in a circle. By id. */
async function findAuthors(db: Db, id: string): Promise<string[]> {
  const person = await findPerson(db, id);
  const authors = new Set([id, ...(person?.following.map((followed) => followed.id) ?? [])]);
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
  const latest = await findLatestWork(db, newsRebuild.name);
  if (latest?.open && (latest.input as RebuildInput).person === person) return latest;
  const input: RebuildInput = { person };
  return startNumberedWork(db, latest, { kind: newsRebuild, owner, input }, act, {
    action: 'NEWS_REBUILT',
    subject: person,
  });
}
