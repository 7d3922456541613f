/** Sessions and their roll-ups through the API: recording, reading, following. */
import { beforeEach, describe, expect, it } from 'vitest';
import { counters } from '../../../src/database/index.js';
import { recordSessions, sessions } from '../../../src/models/analytics/sessions/session.js';
import { createApiKey } from '../../../src/models/people/api-key.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { emptyRollUps } from './roll-up-support.js';

const database = useDatabase();
const server = useServer(database);

const RECORD =
  'mutation ($sessions: [SessionInput!]!, $durability: Durability! = MAJORITY) { recordSessions(sessions: $sessions, durability: $durability) { recorded rejected { index code message } } }';
const STATS = `query (
  $userId: String, $level: RollUpLevel!, $range: DateRange!, $first: Int! = 100, $after: String, $sort: SessionStatsSort! = AT_ASC
) {
  sessionStats(userId: $userId, level: $level, range: $range, first: $first, after: $after, sort: $sort) {
    edges { node { userId at total count mean } } pageInfo { hasNextPage endCursor }
  }
}`;
const FOLLOW = `subscription ($userId: String!, $level: RollUpLevel!, $after: String) {
  sessionStatsChanged(userId: $userId, level: $level, after: $after) { cursor reset stats { userId at total count mean } }
}`;

interface Stats {
  readonly sessionStats: {
    readonly edges: readonly {
      readonly node: { readonly userId: string; readonly at: string; readonly total: number };
    }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}
interface Changed {
  readonly sessionStatsChanged: { readonly cursor: string; readonly reset: boolean; readonly stats: readonly object[] };
}

const year = { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
const session = (userId: string, at: string, length = 10) => ({ userId, at: `2026-${at}:00.000Z`, length });

async function record(...list: readonly object[]) {
  const { data, errors } = await server.request<{ recordSessions: { recorded: number } }>(RECORD, { sessions: list });
  expect(errors).toBeUndefined();
  return data?.recordSessions;
}

const rollUp = () => server.request('mutation { rollUp(cutoff: "PT0S") { level documentsWritten milliseconds } }');

async function stats(variables: object): Promise<Stats['sessionStats']> {
  const { data, errors } = await server.request<Stats>(STATS, { range: year, ...variables });
  if (!data) throw new Error(JSON.stringify(errors));
  return data.sessionStats;
}

const rows = ({ edges }: Stats['sessionStats']) =>
  edges.map(({ node }) => [node.userId, node.at.slice(0, 13), node.total]);

beforeEach(() => emptyRollUps(database.db));

describe('recording sessions', () => {
  it('assigns consecutive numbers with one update of the counter', async () => {
    const before = (await counters(database.db).findOne({ _id: 'sessions' }))?.value ?? 0;
    expect(await record(session('ann', '01-05T10:00'), session('bob', '01-05T11:00'))).toEqual({
      recorded: 2,
      rejected: [],
    });
    const stored = await sessions(database.db).find().sort({ userid: 1, ts: 1 }).toArray();
    expect(stored).toEqual([
      {
        _id: before + 1,
        userid: 'ann',
        ts: new Date('2026-01-05T10:00Z'),
        length: 10,
        arrived_at: expect.any(Date),
        pending: true,
      },
      {
        _id: before + 2,
        userid: 'bob',
        ts: new Date('2026-01-05T11:00Z'),
        length: 10,
        arrived_at: expect.any(Date),
        pending: true,
      },
    ]);
    expect(await counters(database.db).findOne({ _id: 'sessions' })).toEqual({ _id: 'sessions', value: before + 2 });
  });

  it.each([
    ['an empty user', { userId: '' }, 'userId'],
    ['a user of more than 256 bytes', { userId: 'ä'.repeat(129) }, 'userId'],
    ['a time far in the future', { at: '2999-01-01T00:00:00.000Z' }, 'at'],
    ['a negative length', { length: -1 }, 'length'],
    ['more than a year', { length: 31_622_401 }, 'length'],
  ])('rejects %s, and stores the others', async (_case, fault, field) => {
    const good = session('ann', '01-05T10:00');
    expect(await record({ ...good, ...fault }, good)).toEqual({
      recorded: 1,
      rejected: [{ index: 0, code: 'BAD_USER_INPUT', message: expect.stringContaining(`sessions.0.${field}`) }],
    });
    expect(await sessions(database.db).countDocuments()).toBe(1);
  });

  it('rejects a lone surrogate, which the API does not accept either', async () => {
    const half = { userId: 'a\ud800', at: new Date('2026-01-05T10:00Z'), length: 1 };
    expect(await recordSessions(database.db, [half], 'MAJORITY', new Date())).toMatchObject({
      recorded: 0,
      rejected: [{ index: 0, code: 'BAD_USER_INPUT' }],
    });
    expect(await sessions(database.db).countDocuments()).toBe(0);
  });

  it('refuses more than 1000 per call, and stores none', async () => {
    const { errors } = await server.request(RECORD, { sessions: Array(1001).fill(session('ann', '01-05T10:00')) });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 1000 });
    expect(await sessions(database.db).countDocuments()).toBe(0);
  });

  it('reports a session rejected by the database by its index, and stores the others', async () => {
    await counters(database.db).updateOne({ _id: 'sessions' }, { $set: { value: 500 } }, { upsert: true });
    const taken = { _id: 503, userid: 'x', ts: new Date(0), length: 1, arrived_at: new Date(0) };
    await sessions(database.db).insertOne(taken);
    const list = [
      session('', '01-05T10:00'),
      session('a', '01-05T10:00'),
      session('b', '01-05T10:00'),
      session('c', '01-05T10:00'),
    ];
    expect(await record(...list)).toEqual({
      recorded: 2,
      rejected: [
        { index: 0, code: 'BAD_USER_INPUT', message: expect.any(String) },
        { index: 3, code: 'CONFLICT', message: expect.any(String) },
      ],
    });
  });

  it('is allowed for API keys with the write scope, and reading with the read scope', async () => {
    const { key: writer } = await createApiKey(database.db, testAct(), { name: 'Writer', scopes: ['SESSIONS_WRITE'] });
    const { key: reader } = await createApiKey(database.db, testAct(), { name: 'Reader', scopes: ['SESSIONS_READ'] });
    const variables = { range: year, level: 'DAY' };
    expect((await server.request(RECORD, { sessions: [] }, writer)).data).toEqual({
      recordSessions: { recorded: 0, rejected: [] },
    });
    expect((await server.request(STATS, variables, reader)).errors).toBeUndefined();
    expect((await server.request(RECORD, { sessions: [] }, reader)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await server.request(STATS, variables, writer)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await server.request('mutation { rollUp { level } }', {}, writer)).errors?.[0]?.extensions.code).toBe(
      'FORBIDDEN',
    );
  });
});

describe('the roll-ups', () => {
  it('are returned for one user or all users', async () => {
    await record(session('bob', '01-05T10:00', 1), session('ann', '01-05T10:30', 2), session('ann', '01-05T11:00', 4));
    expect((await rollUp()).data).toEqual({
      rollUp: [3, 2, 2, 2, 2].map((documentsWritten, at) => ({
        level: ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'][at],
        documentsWritten,
        milliseconds: expect.any(Number),
      })),
    });
    expect((await stats({ userId: 'ann', level: 'DAY' })).edges).toEqual([
      { node: { userId: 'ann', at: '2026-01-05T00:00:00.000Z', total: 6, count: 2, mean: 3 } },
    ]);
    expect(rows(await stats({ level: 'HOUR' }))).toEqual([
      ['ann', '2026-01-05T10', 2],
      ['bob', '2026-01-05T10', 1],
      ['ann', '2026-01-05T11', 4],
    ]);
  });

  it.each([
    ['ann', 'AT_ASC'],
    [null, 'AT_ASC'],
    ['ann', 'AT_DESC'],
    [null, 'AT_DESC'],
  ])('are paginated for %s, by %s', async (userId, sort) => {
    await record(...Array.from({ length: 9 }, (_, n) => session(n % 3 ? 'ann' : 'bob', `01-0${1 + (n % 5)}T10:00`, n)));
    await rollUp();
    const all = rows(await stats({ userId, level: 'DAY' }));
    const paged: unknown[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { pageInfo, edges }: Stats['sessionStats'] = await stats({ userId, level: 'DAY', first: 2, after, sort });
      paged.push(...rows({ pageInfo, edges }));
      ({ hasNextPage: more, endCursor: after } = pageInfo);
    }
    expect(paged).toEqual(sort === 'AT_ASC' ? all : all.toReversed());
    expect(all).toHaveLength(userId ? 5 : 8);
  });

  it('of a range are those that start in it, with its start rounded down', async () => {
    await record(session('ann', '01-04T23:00'), session('ann', '01-05T00:00'), session('ann', '01-12T00:00'));
    await rollUp();
    const range = { from: '2026-01-07T12:00:00.000Z', to: '2026-01-12T00:00:00.000Z' };
    expect(rows(await stats({ level: 'WEEK', range }))).toEqual([['ann', '2026-01-05T00', 10]]);
  });

  it('return the latest period first in descending order, so that a page of one is enough', async () => {
    await record(session('ann', '01-04T23:00'), session('ann', '03-05T00:00', 7), session('bob', '02-12T00:00'));
    await rollUp();
    const range = { from: '1970-01-01T00:00:00Z', to: '9998-12-31T00:00:00Z' };
    expect(rows(await stats({ level: 'DAY', range, first: 1, sort: 'AT_DESC' }))).toEqual([
      ['ann', '2026-03-05T00', 7],
    ]);
  });

  it('refuse a cursor of another list, invalid pages and invalid ranges', async () => {
    await record(session('ann', '01-05T10:00'), session('bob', '01-05T10:00'));
    await rollUp();
    const { pageInfo } = await stats({ level: 'DAY', first: 1 });
    const code = async (variables: object) =>
      (await server.request(STATS, { range: year, level: 'DAY', ...variables })).errors?.[0]?.extensions.code;
    expect(await code({ after: pageInfo.endCursor, level: 'HOUR' })).toBe('BAD_CURSOR');
    expect(await code({ after: pageInfo.endCursor, sort: 'AT_DESC' })).toBe('BAD_CURSOR');
    expect(await code({ first: 1001 })).toBe('LIMIT_EXCEEDED');
    expect(await code({ first: 0 })).toBe('BAD_USER_INPUT');
    expect(await code({ range: { from: year.to, to: year.from } })).toBe('BAD_USER_INPUT');
  });
});

describe('live roll-ups', () => {
  const follow = (variables: object) =>
    server.connect().iterate<Changed>({ query: FOLLOW, variables: { userId: 'ann', level: 'DAY', ...variables } });
  const next = async (events: ReturnType<typeof follow>) => {
    const { value } = await events.next();
    if (!value?.data) throw new Error(JSON.stringify(value?.errors));
    return value.data.sessionStatsChanged;
  };
  const day = (date: string, total: number, count: number) => ({
    userId: 'ann',
    at: `2026-01-${date}T00:00:00.000Z`,
    total,
    count,
    mean: total / count,
  });

  it('start with the current periods, then send changed ones, and resume after a cursor', async () => {
    await record(session('ann', '01-05T10:00'), session('bob', '01-05T10:00'));
    await rollUp();
    const events = follow({});
    expect(await next(events)).toMatchObject({ reset: false, stats: [day('05', 10, 1)] });
    await record(session('bob', '01-05T10:00'), session('ann', '01-05T11:00', 20), session('ann', '01-02T11:00', 5));
    await rollUp();
    let changed = await next(events);
    const told = [...changed.stats];
    while (told.length < 2) {
      changed = await next(events); // the two may arrive together or one by one
      told.push(...changed.stats);
    }
    expect(new Set(told)).toEqual(new Set([day('02', 5, 1), day('05', 30, 2)]));
    await events.return?.();
    await record(session('ann', '01-07T10:00', 1));
    await rollUp();
    const resumed = follow({ after: changed.cursor });
    expect(await next(resumed)).toMatchObject({ reset: false, stats: [day('07', 1, 1)] });
    await resumed.return?.();
  });

  it('hold the latest 100 periods, and send nothing about older ones', async () => {
    const hours = Array.from({ length: 101 }, (_, hour) => ({
      userId: 'ann',
      at: new Date(Date.UTC(2026, 0, 5, hour)),
      length: 1,
    }));
    await recordSessions(database.db, hours, 'MAJORITY', new Date());
    await rollUp();
    const events = follow({ level: 'HOUR' });
    const { stats: first } = await next(events);
    expect(first).toHaveLength(100);
    expect(first[0]).toMatchObject({ at: '2026-01-05T01:00:00.000Z' });
    await record(session('ann', '01-05T00:30')); // older than those
    await rollUp();
    await record(session('ann', '02-01T00:00'));
    await rollUp();
    expect((await next(events)).stats).toMatchObject([{ at: '2026-02-01T00:00:00.000Z' }]);
    await events.return?.();
  });

  it('are refused for an invalid user', async () => {
    const { value } = await follow({ userId: '' }).next();
    expect(value?.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});
