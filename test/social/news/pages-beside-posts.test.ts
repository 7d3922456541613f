/** Pages of each list from random cursors, while posts arrive, are edited and deleted, and are delivered. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../../../harness/rounds.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Member, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
const RUNS = runsOf(3);
const OLD = 24;
const EDIT = 'mutation ($id: ID!, $text: String!) { editPost(id: $id, text: $text) { __typename } }';

interface Walk {
  readonly list: 'news' | 'wall' | 'incoming';
  /** Which edge's cursor it starts from. */
  readonly start: number;
  readonly first: number;
}

const walk: fc.Arbitrary<Walk> = fc.record({
  list: fc.constantFrom('news', 'wall', 'incoming'),
  start: fc.nat(OLD - 2),
  first: fc.integer({ min: 1, max: 7 }),
});

let api: SocialApi;
let cleo: Member;
let listOf: Readonly<Record<Walk['list'], readonly [list: string, reader: Member]>>;

const write = (text: string) => api.post(cleo, text, { audience: 'PUBLIC', onWallOf: listOf.incoming[1].id });

beforeAll(async () => {
  api = new SocialApi(database, server);
  const { ann, ben, ...others } = await api.members('ann', 'ben', 'cleo');
  cleo = others.cleo;
  listOf = { news: ['news', ben], wall: [`wall(userId: "${ann.id}")`, ben], incoming: ['incoming', ann] };
  await api.circle(ben, 'Follows', cleo);
});

/** Posts, edits, deletes and delivers, until it is told to end. Only every third of the old posts is deleted. */
async function disturb(old: readonly string[], isEnded: () => boolean): Promise<void> {
  const arrived: string[] = [];
  for (let turn = 0; !isEnded(); turn += 1) {
    arrived.push(await write(`New ${turn}`));
    if (turn % 2 === 0)
      await api.ask(EDIT, { id: old[turn % OLD], text: `Edited ${turn}` }, cleo).catch(() => undefined);
    const gone = turn % 3 === 0 ? old[turn] : arrived[turn - 1];
    if (gone) await api.remove(cleo, gone);
    if (turn % 4 === 0) await api.delivered();
  }
}

/** @returns the ids that it shows, from the cursor of an edge of the list as it was at the beginning */
async function follow({ list, start, first }: Walk): Promise<{ from: string; shown: string[] }> {
  const [name, reader] = listOf[list];
  const { edges } = await api.page(name, reader, OLD);
  const from = edges[start % edges.length];
  if (!from) throw new Error(`The list ${list} is empty`);
  const shown: string[] = [];
  for (let after: string | null = from.cursor; ; ) {
    const page = await api.page(name, reader, first, after);
    shown.push(...page.edges.map(({ node }) => node.id));
    if (!page.pageInfo.hasNextPage) return { from: from.node.id, shown };
    expect(page.edges).toHaveLength(first);
    after = page.pageInfo.endCursor;
  }
}

describe('pages from random cursors', () => {
  it('neither skip nor repeat what stays, in any list, while posts arrive and are deleted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(walk, { minLength: 3, maxLength: 8 }), async (walks) => {
        const old: string[] = [];
        for (let at = 0; at < OLD; at += 1) old.push(await write(`Old ${at}`));
        await api.delivered();
        let isEnded = false;
        const disturbance = disturb(old, () => isEnded);
        const found = await Promise.all(walks.map(follow)).finally(() => {
          isEnded = true;
        });
        await disturbance;
        const stays = old.filter((_id, at) => at % 3 !== 0).reverse();
        for (const { from, shown } of found) {
          expect(new Set(shown).size).toBe(shown.length);
          const isOlder = (id: string) => old.indexOf(id) < old.indexOf(from);
          const expected = old.includes(from) ? stays.filter(isOlder) : stays;
          expect(shown.filter((id) => stays.includes(id))).toEqual(expected);
        }
        await api.delivered();
      }),
      { numRuns: RUNS },
    );
  });
});
