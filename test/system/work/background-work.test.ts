/** Background work through the API: who sees and undoes which, live progress, rejects. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { UserDocument } from '../../../src/models/people/user.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { countingKind, kindOf, numbersOf, offerWork, useWork } from './work-support.js';

const database = useDatabase();
const server = useServer(database);
const { loopOf, start, find } = useWork(database);
let ann: UserDocument;
let annToken: string;
let benToken: string;

beforeAll(async () => {
  offerWork(server.services, countingKind);
  ann = await addPerson(database.db, 'ann');
  annToken = (await beginTestSession(database.db, server.services.config, ann)).token;
  const ben = await addPerson(database.db, 'ben');
  benToken = (await beginTestSession(database.db, server.services.config, ben)).token;
  const other = {
    kind: 'other',
    type: 'Other',
    state: 'FAILED',
    input: {},
    done: 0,
    token: 1,
    steps: 0,
    attempts: 0,
  } as const;
  await backgroundWork(database.db).insertMany(
    Array.from({ length: 60 }, (_, index) => ({
      ...other,
      _id: `other-${index}`,
      owner: 'nobody',
      created_at: new Date(index),
    })),
  );
});

const idOf = (id: string) => toGlobalId('DataImport', id);
const LIST = `query ($state: WorkState, $own: Boolean! = false, $first: Int! = 20, $after: String) {
  backgroundWork(state: $state, own: $own, first: $first, after: $after) {
    edges { node { __typename id state done total startedAt finishedAt failure } } pageInfo { hasNextPage endCursor }
  }
}`;
interface List {
  readonly backgroundWork: {
    readonly edges: readonly { readonly node: { readonly id: string; readonly state: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}
const list = async (variables: object, token?: string) => {
  const { data, errors } = await server.request<List>(LIST, { ...variables }, token);
  expect(errors).toBeUndefined();
  return data?.backgroundWork;
};
const idsIn = (page: List['backgroundWork'] | undefined) => page?.edges.map(({ node }) => node.id);

describe('background work', () => {
  it('is listed for its owner, newest first, and all of it for administrators', async () => {
    const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second));
    const first = await start(undefined, { owner: ann._id, at: at(1) });
    const second = await start(undefined, { owner: ann._id, at: at(2) });
    const command = await start(undefined, { owner: null, at: at(3) });
    await loopOf().run(first._id);

    const page = await list({ first: 1 }, annToken);
    expect(page).toEqual({
      edges: [
        {
          node: {
            __typename: 'DataImport',
            id: idOf(second._id),
            state: 'WAITING',
            done: 0,
            total: null,
            startedAt: null,
            finishedAt: null,
            failure: null,
          },
        },
      ],
      pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
    });
    expect(idsIn(await list({ after: page?.pageInfo.endCursor }, annToken))).toEqual([idOf(first._id)]);
    expect(idsIn(await list({ state: 'FINISHED' }, annToken))).toEqual([idOf(first._id)]);
    expect(idsIn(await list({}, benToken))).toEqual([]);
    expect(idsIn(await list({}))).toEqual([command, second, first].map(({ _id }) => idOf(_id)));
    expect(idsIn(await list({ state: 'WAITING' }))).toEqual([command, second].map(({ _id }) => idOf(_id)));
    expect(idsIn(await list({ own: true }))).toEqual([]);
    expect((await server.request(LIST, { first: 101 })).errors?.[0]?.extensions.code).toBe('LIMIT_EXCEEDED');
    expect((await server.request(LIST, {}, null)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('is found by its id, with its rejected rows, by its owner and by administrators', async () => {
    const { _id } = await start(undefined, { owner: ann._id });
    await loopOf().run(_id);
    const REPORT = `query ($id: ID!, $after: String) { node(id: $id) { ... on DataImport {
      id state done total fileName imported rejected rejectReasons { reason count }
      rejects(first: 2, after: $after) { edges { node { line reason raw } } pageInfo { hasNextPage endCursor } }
    } } }`;
    const { data } = await server.request<{ node: { rejects: { pageInfo: { endCursor: string } } } }>(
      REPORT,
      { id: idOf(_id) },
      annToken,
    );
    const reject = (line: number) => ({ node: { line, reason: 'It is a tenth', raw: `the number ${line - 1}` } });
    expect(data?.node).toEqual({
      id: idOf(_id),
      state: 'FINISHED',
      done: 45,
      total: 45,
      fileName: 'numbers.txt',
      imported: 41,
      rejected: 4,
      rejectReasons: [{ reason: 'It is a tenth', count: 4 }],
      rejects: { edges: [reject(10), reject(20)], pageInfo: { hasNextPage: true, endCursor: expect.any(String) } },
    });
    const rest = await server.request(REPORT, { id: idOf(_id), after: data?.node.rejects.pageInfo.endCursor });
    expect(rest.data?.node).toMatchObject({
      rejects: { edges: [reject(30), reject(40)], pageInfo: { hasNextPage: false } },
    });
    for (const [id, token] of [
      [idOf(_id), benToken],
      [idOf(_id), null],
      [idOf('none'), annToken],
    ] as const)
      expect((await server.request(REPORT, { id }, token)).data).toEqual({ node: null });
  });
});

describe('workChanged', () => {
  const FOLLOW = `subscription ($id: ID!, $after: String) { workChanged(id: $id, after: $after) {
    cursor reset work { id state done ... on DataImport { imported } }
  } }`;
  interface Event {
    readonly workChanged: {
      readonly cursor: string;
      readonly reset: boolean;
      readonly work: { readonly state: string; readonly done: number };
    };
  }

  /** The events up to that state, which is reached by `meanwhile`. */
  async function follow(id: string, state: string, meanwhile?: () => Promise<unknown>, after?: string) {
    const events: Event['workChanged'][] = [];
    const socket = server.connect(annToken);
    for await (const { data } of socket.iterate<Event>({ query: FOLLOW, variables: { id: idOf(id), after } })) {
      if (!data) throw new Error('An event without data');
      events.push(data.workChanged);
      if (events.length === 1) void meanwhile?.();
      if (data.workChanged.work.state === state) break;
    }
    await socket.dispose();
    return events;
  }

  it('tells the state, then progress at most twice a second, then the end, and resumes by cursor', async () => {
    const { _id } = await start(undefined, { owner: ann._id, input: { rows: 400, batch: 2 } });
    const begunMs = performance.now();
    const events = await follow(_id, 'FINISHED', () => loopOf().run(_id));
    const tookMs = performance.now() - begunMs;
    expect(events[0]).toMatchObject({ reset: false, work: { id: idOf(_id), state: 'WAITING', done: 0 } });
    expect(events.at(-1)?.work).toMatchObject({ state: 'FINISHED', done: 400, imported: 360 });
    // Of 200 steps. Besides one event per half second, one for each of the three states.
    expect(events.length).toBeLessThanOrEqual(3 + Math.ceil(tookMs / 500));
    const cursors = events.map(({ cursor }) => cursor);
    expect(cursors).toEqual(cursors.toSorted());
    const resumed = await follow(_id, 'FINISHED', undefined, cursors[0]);
    expect(resumed).toMatchObject([{ reset: false, work: { state: 'FINISHED', done: 400 } }]);
  });

  it.each([
    ['of someone else', 'DataImport', () => benToken],
    ['of another type', 'Order', () => annToken],
  ])('is not for work %s', async (_whose, type, token) => {
    const { _id } = await start(undefined, { owner: ann._id });
    const socket = server.connect(token());
    const events = socket.iterate({ query: FOLLOW, variables: { id: toGlobalId(type, _id) } });
    const { value } = await events.next();
    expect(value?.errors?.[0]).toMatchObject({ message: 'No work has this id', extensions: { code: 'NOT_FOUND' } });
    await socket.dispose();
  });
});

describe('undoImport', () => {
  const UNDO = `mutation ($id: ID!) { undoImport(id: $id) {
    __typename ... on DataImport { id state } ... on WorkBusy { work { id state } } ... on Refusal { message }
  } }`;
  const undo = async (id: string, token?: string) => (await server.request(UNDO, { id }, token)).data?.undoImport;
  const notFound = { __typename: 'WorkNotFound', message: 'No import has this id, or it cannot be undone' };

  it('undoes an import of the viewer; administrators undo every import', async () => {
    for (const token of [annToken, undefined]) {
      const { _id } = await start(undefined, { owner: ann._id });
      await loopOf().run(_id);
      expect(await undo(idOf(_id), token)).toEqual({ __typename: 'DataImport', id: idOf(_id), state: 'UNDOING' });
      expect(await loopOf().run(_id)).toMatchObject({ state: 'UNDONE' });
      expect(await numbersOf(database.db, _id)).toEqual([]);
      expect(await undo(idOf(_id), token)).toEqual({ __typename: 'DataImport', id: idOf(_id), state: 'UNDONE' });
    }
  });

  it('is refused for an import that has not ended', async () => {
    const { _id } = await start(undefined, { owner: ann._id });
    expect(await undo(idOf(_id), annToken)).toEqual({
      __typename: 'WorkBusy',
      message: 'The import is still running',
      work: { id: idOf(_id), state: 'WAITING' },
    });
    expect(await find(_id)).toMatchObject({ state: 'WAITING', open: true });
  });

  it('is refused for an import of someone else, for none, and for one that cannot be undone', async () => {
    const { _id } = await start(undefined, { owner: ann._id });
    await loopOf().run(_id);
    expect(await undo(idOf(_id), benToken)).toEqual(notFound);
    expect(await undo(idOf('none'))).toEqual(notFound);
    expect(await undo('damaged')).toEqual(notFound);
    const other = kindOf('permanent', async () => undefined);
    const done = await start(other, { owner: ann._id });
    await loopOf([other]).run(done._id);
    expect(await undo(idOf(done._id), annToken)).toEqual(notFound);
    expect(await find(_id)).toMatchObject({ state: 'FINISHED', imported: 41 });
    expect(await find(done._id)).toMatchObject({ state: 'FINISHED' });
  });
});
