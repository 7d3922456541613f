/** The memory of a server that pages through a discussion of 100,000 comments in every order, and follows it live. */
import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { residentBytes } from '../../harness/process-usage.js';
import { type Product, startProduct } from '../../harness/product.js';
import type { CommentDesign, CommentOrder } from '../../src/models/comments/discussion/comment.js';
import { discussionOf } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { postComment } from '../../src/models/comments/posting.js';
import { fromGlobalId } from '../../src/shared/global-id.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { measuredSettings } from '../support/exceptions.js';
import { Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { fillDiscussion, subjectOf } from './many-comments.js';

const LONG = 100_000;
const SHORT = 200;
const PAGE = 200;
const POSTS = 1000;
const SAMPLE_MS = 20;
const MEGABYTE = 1e6;
const GROWTH_MAX = 100;

interface Case {
  readonly name: string;
  readonly design: CommentDesign;
  readonly size: number;
  readonly orders: readonly CommentOrder[];
}

const BY_TIME = ['OLDEST_FIRST', 'NEWEST_FIRST'] as const;
const caseOf = (design: CommentDesign, size: number): Case => ({
  name: `${design}, ${size.toLocaleString('en')} comments`,
  design,
  size,
  orders: design === 'HYBRID' ? BY_TIME : [...BY_TIME, 'THREADED'], // its threads end at 5,000
});

export const commentMemory: Benchmark = {
  name: 'comment-memory',
  title: 'Memory of a long discussion',
  async run(surroundings) {
    const cases = (['ONE_EACH', 'HYBRID'] as const).flatMap((design) => [
      caseOf(design, SHORT),
      caseOf(design, Math.round(LONG * surroundings.scale)),
    ]);
    const [peaks, seconds] = [new Rounds(), new Rounds()];
    for (let round = 1; round <= surroundings.rounds; round += 1)
      for (const one of cases) {
        const { peak, took } = await measure(surroundings, one);
        surroundings.log(`${one.name}: ${Math.round(peak / MEGABYTE)} MB`);
        peaks.add(one.name, peak / MEGABYTE);
        seconds.add(one.name, took);
      }
    return findings(cases, peaks, seconds, surroundings);
  },
};

/** In a new process: one that has grown does not shrink. */
async function measure(surroundings: Surroundings, one: Case): Promise<{ peak: number; took: number }> {
  const { mongodbUri, nodeOptions, scale } = surroundings;
  const database = `sextant_bench_${randomBytes(4).toString('hex')}`;
  const product = await startProduct({ mongodbUri, database, environment: measuredSettings, nodeOptions });
  const client = await MongoClient.connect(mongodbUri, { ignoreUndefined: true });
  try {
    const { nodeId, discussion } = await createPage(product);
    await fillDiscussion(client.db(database), discussion, one.design, one.size);
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, residentBytes(product.process.pid));
    }, SAMPLE_MS);
    const begin = performance.now();
    const pages = Math.ceil((LONG * scale) / PAGE);
    const post = async () => {
      const writer = new DiscussionWriter();
      for (let number = 0; number < POSTS * scale; number += 1) {
        const outcome = await postComment(client.db(database), writer, subjectOf(discussion, one.design), {
          author: { _id: 'author-0', name: '' },
          isMember: true,
          text: `Comment ${number}`,
          replyTo: null,
          now: new Date(),
        });
        if (!('number' in outcome)) throw new Error(outcome.message);
      }
    };
    try {
      const followed = follow(product, nodeId, POSTS * scale);
      for (const order of one.orders) await readPages(product, { nodeId, order, pages });
      await Promise.all([post(), followed]);
    } finally {
      clearInterval(timer);
    }
    return { peak, took: (performance.now() - begin) / 1000 };
  } finally {
    await product.stop();
    await client.db(database).dropDatabase();
    await client.close();
  }
}

async function createPage(product: Product): Promise<{ nodeId: string; discussion: string }> {
  const { data } = await product.request<{ createNode: { id: string } }>(`mutation {
    createNode(input: { type: PAGE, title: "Long", publishedAt: "2026-01-01T00:00:00Z" }) { ... on Page { id } }
  }`);
  const nodeId = data?.createNode.id ?? '';
  const { type, id } = fromGlobalId(nodeId) ?? { type: '', id: '' };
  return { nodeId, discussion: discussionOf(type, id) };
}

const PAGES = `query ($nodeId: ID!, $order: CommentOrder!, $after: String) {
  discussion(nodeId: $nodeId, order: $order, first: ${PAGE}, after: $after) {
    edges { node { slug depth text author { name } replyCount } } pageInfo { hasNextPage endCursor }
  }
}`;

interface PageAnswer {
  readonly discussion: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null } };
}

/** From the beginning again, if there are fewer. */
async function readPages(
  product: Product,
  { nodeId, order, pages }: { readonly nodeId: string; readonly order: CommentOrder; readonly pages: number },
): Promise<void> {
  let after: string | null = null;
  for (let page = 0; page < pages; page += 1) after = await readPage(product, { nodeId, order, after });
}

/** @returns the cursor for the next page */
async function readPage(product: Product, variables: object): Promise<string | null> {
  const { data, errors } = await product.request<PageAnswer>(PAGES, variables);
  if (!data) throw new Error(errors?.[0]?.message);
  const { hasNextPage, endCursor } = data.discussion.pageInfo;
  return hasNextPage ? endCursor : null;
}

/** Until so many have come. */
async function follow(product: Product, nodeId: string, count: number): Promise<void> {
  const events = product.subscribe<{ commentsChanged: { comments: readonly object[] } }>(
    `subscription ($nodeId: ID!) { commentsChanged(nodeId: $nodeId, last: ${PAGE}) { comments { slug html } commentCount } }`,
    { nodeId },
  );
  let seen = -PAGE; // those of the snapshot
  for await (const { data, errors } of events) {
    if (!data) throw new Error(errors?.[0]?.message);
    seen += data.commentsChanged.comments.length;
    if (seen >= count) return;
  }
}

function findings(cases: readonly Case[], peaks: Rounds, seconds: Rounds, { rounds, scale }: Surroundings): Findings {
  const baseOf = ({ design }: Case) => caseOf(design, SHORT).name;
  const growth = (one: Case) => peaks.median(one.name) - peaks.median(baseOf(one));
  return {
    verdicts: cases
      .filter(({ size }) => size !== SHORT)
      .map((one) => ({
        row: `memory for ${one.name}, paged through and followed`,
        against: `the same number of pages of ${SHORT} comments`,
        measured: growth(one),
        bound: 'at most' as const,
        goal: GROWTH_MAX,
        unit: ' MB',
      })),
    tables: [
      {
        columns: ['discussion', 'orders', 'peak memory MB', `minus that of ${SHORT}`, 'seconds', 'spread of memory'],
        rows: cases.map((one) => [
          one.name,
          one.orders.join(', '),
          format(peaks.median(one.name)),
          format(growth(one)),
          format(seconds.median(one.name)),
          format(peaks.spread(one.name)),
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)}, each with a new server process: ${Math.ceil((LONG * scale) / PAGE)} pages of ${PAGE} comments in each order, then ${POSTS * scale} new comments, while one subscriber follows. Peak resident memory of the process, sampled every ${SAMPLE_MS} ms. A discussion of ${SHORT} comments is read as many times.`,
    ],
  };
}
