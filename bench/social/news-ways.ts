/** The same posts on the same graph: all copied into the news, all fetched by the readers, and both, by the size of the audience. */
import type { Db } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { deliveries } from '../../src/models/social/delivery/delivery.js';
import { followerPages } from '../../src/models/social/network/follower.js';
import { people } from '../../src/models/social/network/person.js';
import { carryOut } from '../../src/models/social/news/courier.js';
import { findNews } from '../../src/models/social/news/news.js';
import { newsPages } from '../../src/models/social/news/news-page.js';
import { posts } from '../../src/models/social/posts/post.js';
import { PULLED_FOLLOWERS } from '../../src/models/social/posts/publishing.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { inOwnDatabase } from '../support/contest.js';
import { measureCpu } from '../support/database-cpu.js';
import { percentile, Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { setFollowerCount, storeGraph } from './many-people.js';
import { post } from './posting.js';

/** How many authors have how many followers. Few have many, as in all networks. */
const AUTHORS: readonly (readonly [authors: number, followers: number])[] = [
  [1, 20_000],
  [1, 10_000],
  [2, 3000],
  [4, 1000],
  [8, 300],
  [16, 100],
  [32, 30],
  [36, 10],
];
const POSTS_OF_AUTHOR = 2;
const PAGE = 20;
const READS = 200;
const LIMITS = [Number.POSITIVE_INFINITY, 10_000, 1000, 100, 0] as const;
/** They follow all authors: nobody has more to fetch. */
const READER = 'reader-0';

const nameOf = (limit: number): string =>
  limit === 0 ? 'none' : Number.isFinite(limit) ? `up to ${limit.toLocaleString('en')}` : 'all';

export const newsWays: Benchmark = {
  name: 'news-ways',
  title: 'Fan-out on write, on read, and mixed',
  run: (surroundings) => inOwnDatabase(surroundings, (_, db) => measure(db, surroundings)),
};

const newFigures = () => ({
  references: new Rounds(),
  seconds: new Rounds(),
  copyCpu: new Rounds(),
  page: new Rounds(),
  pageCpu: new Rounds(),
});
type FiguresOfWays = ReturnType<typeof newFigures>;

async function measure(db: Db, { rounds, scale, log }: Surroundings): Promise<Findings> {
  await buildIndexes(db);
  const figures = newFigures();
  for (let round = 0; round <= rounds; round += 1) {
    for (const limit of LIMITS) await measureWay(db, limit, scale, round === 0 ? newFigures() : figures);
    log(round === 0 ? 'warm-up done' : `round ${round} done`);
  }
  return report(figures, rounds);
}

/** @param limit authors with more followers are fetched */
async function measureWay(db: Db, limit: number, scale: number, figures: FiguresOfWays): Promise<void> {
  const way = nameOf(limit);
  for (const collection of [people, followerPages, posts, newsPages, deliveries]) await collection(db).deleteMany({});
  const authors = await storeGraph(db, AUTHORS);
  // The product decides by this number; here it stands for the limit under test.
  for (const { id, followers } of authors) await setFollowerCount(db, id, followers > limit ? PULLED_FOLLOWERS + 1 : 1);
  for (let round = 0; round < Math.max(1, POSTS_OF_AUTHOR * scale); round += 1)
    for (const { id } of authors) await post(db, id);
  const copying = await measureCpu(db, () => carryOut(db));
  const [counted] = await newsPages(db)
    .aggregate<{ references: number }>([{ $group: { _id: null, references: { $sum: '$count' } } }])
    .toArray();
  figures.references.add(way, counted?.references ?? 0);
  figures.seconds.add(way, copying.ms / 1000);
  figures.copyCpu.add(way, (copying.own + copying.database) / 1_000_000);
  const times: number[] = [];
  const reading = await measureCpu(db, () => readPages(db, times));
  figures.page.add(way, percentile(times, 0.5));
  figures.pageCpu.add(way, (reading.own + reading.database) / READS);
}

async function readPages(db: Db, times: number[]): Promise<void> {
  for (let at = 0; at < READS; at += 1) {
    const begin = performance.now();
    const { edges } = await findNews(db, READER, { first: PAGE });
    times.push(performance.now() - begin);
    if (edges.length !== PAGE) throw new Error(`A page of ${edges.length} posts`);
  }
}

function report({ references, seconds, copyCpu, page, pageCpu }: FiguresOfWays, rounds: number): Findings {
  const [all, product] = LIMITS.map(nameOf) as [string, string];
  const ofAuthors = AUTHORS.map(([count, followers]) => `${count} x ${followers.toLocaleString('en')}`).join(', ');
  return {
    verdicts: [
      {
        row: 'a page of news of 100 authors, one of them fetched',
        against: 'all copied',
        measured: page.ratio(product, all),
        bound: 'at most',
        goal: 1.5,
      },
    ],
    tables: [
      {
        columns: [
          'copied to followers',
          'references written',
          's until all have all',
          'CPU s of copying',
          'ms per page (p50)',
          'CPU µs per page',
          'spread of the page',
        ],
        rows: LIMITS.map(nameOf).map((way) => [
          way,
          ...[references, seconds, copyCpu, page, pageCpu].map((figure) => format(figure.median(way))),
          format(page.spread(way)),
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)}. 100 authors (${ofAuthors} followers) publish ${POSTS_OF_AUTHOR} posts each; then somebody who follows all of them reads the first page of ${PAGE}, ${READS} times. CPU time is that of the process and of the database together. "up to 10,000" is what the product does.`,
    ],
  };
}
