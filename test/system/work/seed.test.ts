/** Sample data through the API: who may add and undo it, where, and how often. */
import { beforeAll, describe, expect, it } from 'vitest';
import { auditTrail } from '../../../src/models/people/audit.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { findLatestSeed, startSeed } from '../../../src/models/system/work/seed.js';
import { idOfType, toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession, testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { askFor } from './seed-support.js';

const database = useDatabase();
const server = useServer(database);
let editorToken: string;

beforeAll(async () => {
  const editor = await addPerson(database.db, 'ann', ['EDITOR']);
  editorToken = (await beginTestSession(database.db, server.services.config, editor)).token;
});

const SEEDS = '{ seeds { domain isEmpty latest { id state done total kept domain failure } } }';
const SEED = `mutation ($domain: String!) { seedDomain(domain: $domain) {
  __typename ... on Seed { id state domain done total } ... on WorkBusy { work { id } } ... on Refusal { message }
} }`;
const UNDO = `mutation ($id: ID!) { undoSeed(id: $id) {
  __typename ... on Seed { id state } ... on WorkBusy { work { id state } } ... on Refusal { message }
} }`;
const FOLLOW = `subscription ($id: ID!) { workChanged(id: $id) {
  work { state done total ... on Seed { domain } }
} }`;

interface SeedFields {
  readonly id: string;
  readonly state: string;
}
interface DomainSeedFields {
  readonly domain: string;
  readonly isEmpty: boolean;
  readonly latest: SeedFields | null;
}
interface Event {
  readonly workChanged: { readonly work: { readonly state: string; readonly done: number } };
}

const seedsNow = async () => (await server.request<{ seeds: DomainSeedFields[] }>(SEEDS)).data?.seeds ?? [];
const seedOf = async (domain: string) => (await seedsNow()).find((seed) => seed.domain === domain);
const fill = async (domain: string) =>
  (await server.request<{ seedDomain: SeedFields }>(SEED, { domain })).data?.seedDomain;
const undo = async (id: string) => (await server.request<{ undoSeed: SeedFields }>(UNDO, { id })).data?.undoSeed;

/** @returns the numbers of steps on the way */
async function followUntil(id: string, state: string): Promise<number[]> {
  const socket = server.connect();
  const done: number[] = [];
  for await (const { data } of socket.iterate<Event>({ query: FOLLOW, variables: { id } })) {
    if (!data) throw new Error('An event without data');
    done.push(data.workChanged.work.done);
    if (data.workChanged.work.state === state) break;
  }
  await socket.dispose();
  return done;
}

describe('sample data', () => {
  it('fills an empty domain in the background, live, and is undone', async () => {
    expect(await seedsNow()).toEqual([
      { domain: 'commerce', isEmpty: true, latest: null },
      { domain: 'ads', isEmpty: true, latest: null },
      { domain: 'content', isEmpty: true, latest: null },
      { domain: 'social', isEmpty: true, latest: null },
      { domain: 'game', isEmpty: true, latest: null },
      { domain: 'analytics', isEmpty: true, latest: null },
    ]);
    const started = await fill('commerce');
    expect(started).toMatchObject({ __typename: 'Seed', domain: 'commerce', state: 'WAITING', done: 0, total: null });
    const id = started?.id ?? '';
    expect((await followUntil(id, 'FINISHED')).at(-1)).toBe(6);
    const finished = { state: 'FINISHED', done: 6, total: 6, kept: 0, failure: null };
    expect(await seedOf('commerce')).toMatchObject({ isEmpty: false, latest: { id, ...finished } });
    const { data } = await server.request('{ searchProducts(text: "sextant") { edges { node { title } } } }');
    expect(data?.searchProducts).toMatchObject({ edges: [{ node: { title: 'Brass sextant' } }] });

    expect(await fill('commerce')).toEqual({
      __typename: 'DomainNotEmpty',
      message: 'The domain commerce has data. Undo its sample data first',
    });
    expect(await undo(id)).toEqual({ __typename: 'Seed', id, state: 'UNDOING' });
    expect((await followUntil(id, 'UNDONE')).at(-1)).toBe(0);
    expect(await undo(id)).toEqual({ __typename: 'Seed', id, state: 'UNDONE' });
    expect(await seedOf('commerce')).toMatchObject({ isEmpty: true, latest: { id, state: 'UNDONE' } });
    const trail = await auditTrail(database.db).find({ subject: 'commerce' }).sort({ at: 1 }).toArray();
    expect(trail.map(({ action }) => action)).toEqual(['DOMAIN_SEEDED', 'SEED_UNDONE']);

    const again = await fill('commerce'); // another one, not the one that was undone
    expect(again?.id).not.toBe(id);
    await followUntil(again?.id ?? '', 'FINISHED');
    expect((await seedOf('commerce'))?.latest?.id).toBe(again?.id);
  });

  it('is found by its id, and in the list of background work', async () => {
    const latest = (await seedOf('commerce'))?.latest;
    const { data } = await server.request(
      'query ($id: ID!) { node(id: $id) { ... on Seed { domain state } } backgroundWork { edges { node { id } } } }',
      { id: latest?.id },
    );
    expect(data).toMatchObject({
      node: { domain: 'commerce', state: 'FINISHED' },
      backgroundWork: { edges: expect.arrayContaining([{ node: { id: latest?.id } }]) },
    });
  });

  it('is for administrators', async () => {
    for (const [query, variables] of [
      [SEEDS, {}],
      [SEED, { domain: 'analytics' }],
      [UNDO, { id: toGlobalId('Seed', 'seed.commerce.000001') }],
    ] as const)
      for (const [token, code] of [
        [editorToken, 'FORBIDDEN'],
        [null, 'UNAUTHENTICATED'],
      ] as const)
        expect((await server.request(query, variables, token)).errors?.[0]?.extensions.code).toBe(code);
    expect(await findLatestSeed(database.db, 'analytics')).toBeNull();
  });

  it('is not for a domain without it, and not undone when there is none', async () => {
    const { errors } = await server.request(SEED, { domain: 'people' });
    expect(errors?.[0]).toMatchObject({
      message: 'domain must be one that runs and has sample data: commerce, ads, content, social, game, analytics',
      extensions: { code: 'BAD_USER_INPUT' },
    });
    const missing = { __typename: 'WorkNotFound', message: expect.stringContaining('No sample data has this id') };
    for (const id of ['damaged', toGlobalId('Seed', 'none'), toGlobalId('DataImport', 'seed.commerce.000001')])
      expect(await undo(id)).toEqual(missing);
    expect(await undo(toGlobalId('Seed', 'seed.analytics.000001'))).toEqual(missing);
  });
});

describe('starting sample data', () => {
  const start = () => startSeed(database.db, testAct(), askFor('analytics', server.services.domains));

  it('is one piece of work, however often and concurrently it is started', async () => {
    const started = await Promise.all(Array.from({ length: 8 }, start));
    const ids = new Set(started.map((each) => ('_id' in each ? each._id : each.message)));
    expect([...ids]).toEqual(['seed.analytics.000001']);
    expect(await backgroundWork(database.db).countDocuments({ kind: 'seed.analytics' })).toBe(1);
    expect(await auditTrail(database.db).countDocuments({ subject: 'analytics', action: 'DOMAIN_SEEDED' })).toBe(1);
    expect(await start()).toMatchObject({ _id: 'seed.analytics.000001', state: 'WAITING' });
  });

  it('is refused while it is being undone, and undoing while it is being filled in', async () => {
    const id = toGlobalId('Seed', 'seed.analytics.000001');
    expect(await undo(id)).toMatchObject({ __typename: 'WorkBusy', message: 'The sample data is still running' });
    const change = { $set: { state: 'UNDOING', open: true } } as const;
    await backgroundWork(database.db).updateOne({ _id: idOfType('Seed', id) ?? '' }, change);
    expect(await start()).toMatchObject({ __typename: 'WorkBusy' });
    await backgroundWork(database.db).deleteMany({ kind: 'seed.analytics' });
  });

  it('is refused where data is that somebody has added', async () => {
    await database.db.collection('sites').insertOne({ _id: 'mine.example', created_at: new Date() } as object);
    expect(await start()).toEqual({
      __typename: 'DomainNotEmpty',
      message:
        'The domain analytics has data. Only an empty domain can be filled with sample data. Use another database to try it',
    });
    expect(await findLatestSeed(database.db, 'analytics')).toBeNull();
  });
});
