import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { logLine } from './log-support.js';

const database = useDatabase();
const server = useServer(database);

const IMPORT = `mutation ($file: Upload!, $input: ImportLogInput!) {
  importLog(file: $file, input: $input) { __typename ... on LogImport { id state } ... on Refusal { message } }
}`;
const FOLLOW = `subscription ($id: ID!) {
  logImportChanged(id: $id) { cursor reset import { id state lines imported hits rejected bytesRead bytesTotal failure finishedAt } }
}`;
const UNDO = `mutation ($id: ID!) {
  undoLogImport(id: $id) { __typename ... on LogImport { id state } ... on LogImportBusy { message import { id } } ... on LogImportNotFound { message } }
}`;
const DETAILS = `query ($id: ID!, $first: Int!, $after: String) {
  logImport(id: $id) {
    fileName rejectReasons { reason count }
    rejects(first: $first, after: $after) { edges { node { line reason raw } } pageInfo { hasNextPage endCursor } }
  }
}`;

const writtenAt = expect.stringMatching(/^[0-9a-f]{16}$/);

interface Imported {
  readonly importLog: { readonly __typename: string; readonly id: string; readonly message?: string };
}

async function upload(site: string, bytes: Buffer, name = 'access.log') {
  const form = new FormData(); // in the order required by the multipart request specification
  form.set('operations', JSON.stringify({ query: IMPORT, variables: { file: null, input: { site } } }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new File([bytes], name));
  const headers = { authorization: `Bearer ${server.token}`, 'apollo-require-preflight': 'true' };
  const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: form });
  return (await response.json()) as { data: Imported; extensions?: object };
}

interface Change {
  readonly logImportChanged: { readonly cursor: string; readonly import: Record<string, unknown> };
}

/** All events of an import until it reaches a state. */
async function follow(id: string, state: string): Promise<Change['logImportChanged'][]> {
  const events: Change['logImportChanged'][] = [];
  for await (const { data, errors } of server.connect().iterate<Change>({ query: FOLLOW, variables: { id } })) {
    if (!data) throw errors;
    events.push(data.logImportChanged);
    if (data.logImportChanged.import.state === state) return events;
  }
  throw new Error(`The subscription ended before the import was ${state}`);
}

describe('an uploaded log', () => {
  const lines = [logLine({ path: '/a' }), 'bad', logLine({ path: '/b' }), 'worse', ''];

  it('is imported in the background, followed live, reported in detail, found again, and undone', async () => {
    const bytes = gzipSync(lines.join('\n'));
    const { data, extensions } = await upload('api.example.org', bytes, '../../access.log.gz');
    expect(extensions).toEqual({ writtenAt });
    const { id } = data.importLog;
    const events = await follow(id, 'FINISHED');
    expect(events.at(-1)?.import).toEqual({
      id,
      state: 'FINISHED',
      lines: 4,
      imported: 2,
      hits: 2,
      rejected: 2,
      bytesRead: lines.join('\n').length,
      bytesTotal: lines.join('\n').length,
      failure: null,
      finishedAt: expect.any(String),
    });
    const cursors = events.map(({ cursor }) => cursor);
    expect(cursors).toEqual([...cursors].sort());

    const details = await server.request<{ logImport: { rejects: { pageInfo: { endCursor: string } } } }>(DETAILS, {
      id,
      first: 1,
    });
    const noTime = 'The line has no time in brackets, in the form [day/month/year:hour:minute:second zone]';
    expect(details.data?.logImport).toEqual({
      fileName: 'access.log.gz',
      rejectReasons: [{ reason: noTime, count: 2 }],
      rejects: {
        edges: [{ node: { line: 2, reason: noTime, raw: 'bad' } }],
        pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
      },
    });
    const after = details.data?.logImport.rejects.pageInfo.endCursor;
    expect((await server.request(DETAILS, { id, first: 1, after })).data?.logImport).toMatchObject({
      rejects: { edges: [{ node: { line: 4, raw: 'worse' } }], pageInfo: { hasNextPage: false } },
    });

    expect((await upload('api.example.org', bytes)).data.importLog).toEqual({
      __typename: 'LogImport',
      id,
      state: 'FINISHED',
    });
    expect(await server.request(UNDO, { id })).toEqual({
      data: { undoLogImport: { __typename: 'LogImport', id, state: 'UNDOING' } },
      extensions: { writtenAt },
    });
    expect((await follow(id, 'UNDONE')).at(-1)?.import).toMatchObject({ lines: 0, imported: 0, hits: 0, rejected: 0 });
  });

  it('is refused when it is not a log, and leaves nothing behind', async () => {
    const { data } = await upload('refused.example.org', Buffer.alloc(100));
    expect(data.importLog).toEqual({ __typename: 'LogFileRefused', message: 'The file is not text' });
    for (const name of ['log.files', 'log.chunks']) {
      const left = await database.db.collection(name).countDocuments({ length: 100 });
      expect(left).toBe(0);
    }
    const query = 'query ($site: String!) { logImports(site: $site) { edges { node { id } } } }';
    const answer = await server.request(query, { site: 'refused.example.org' });
    expect(answer.data).toEqual({ logImports: { edges: [] } });
  });
});

describe('an import that does not exist', () => {
  it.each([
    ['an id of the right type', toGlobalId('LogImport', '0123456789abcdef01234567')],
    ['an id of another type', toGlobalId('Site', 'example.org')],
    ['an invalid id', '$where'],
  ])('is not found by %s', async (_case, id) => {
    expect((await server.request(DETAILS, { id, first: 1 })).data).toEqual({ logImport: null });
    expect((await server.request(UNDO, { id })).data).toEqual({
      undoLogImport: { __typename: 'LogImportNotFound', message: 'No import has this id' },
    });
    await expect(follow(id, 'FINISHED')).rejects.toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});

describe('requests', () => {
  it('are recorded, found page by page, found by id, counted and explained', async () => {
    const site = 'requests.example.org';
    const event = {
      site,
      time: '2026-01-05T10:00:00.000Z',
      host: '192.0.2.1',
      status: 200,
      method: 'GET',
      path: '/a?x',
      userAgent: 'u',
    };
    const record = `mutation ($events: [LogEventInput!]!) { recordEvents(events: $events) { inserted rejected { index code message } } }`;
    const recorded = await server.request(record, {
      events: [event, { ...event, status: 1 }, { ...event, userAgent: null }],
    });
    expect(recorded.data).toEqual({
      recordEvents: {
        inserted: 2,
        rejected: [
          { index: 1, code: 'BAD_USER_INPUT', message: 'events.1.status must be a whole number from 100 to 999' },
        ],
      },
    });
    expect(recorded.extensions?.writtenAt).toMatch(/^[0-9a-f]{16}$/);
    const find = `query ($site: String!, $after: String) { events(filter: { site: $site, path: "/a?x" }, first: 1, after: $after) {
      edges { node { id site time host logname user method path protocol status bytes referrer userAgent } } pageInfo { hasNextPage endCursor }
    } }`;
    interface Found {
      readonly events: { edges: { node: { id: string; userAgent: string | null } }[]; pageInfo: { endCursor: string } };
    }
    const first = await server.request<Found>(find, { site });
    const second = await server.request<Found>(find, { site, after: first.data?.events.pageInfo.endCursor });
    const nodes = [first, second].map(({ data }) => data?.events.edges[0]?.node);
    expect(nodes.map((node) => node?.userAgent).sort()).toEqual(['u', null].sort());
    const nothing = { logname: null, user: null, protocol: null, bytes: null, referrer: null };
    expect(nodes[0]).toEqual({ ...event, ...nothing, id: expect.any(String), userAgent: nodes[0]?.userAgent });
    const node = await server.request('query ($id: ID!) { node(id: $id) { __typename ... on LogEvent { path } } }', {
      id: nodes[1]?.id,
    });
    expect(node.data).toEqual({ node: { __typename: 'LogEvent', path: '/a?x' } });

    const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
    const report = await server.request(
      `query ($site: String!, $range: DateRange!) {
        requestsByDayAndPage(site: $site, range: $range) { day page requests }
        explainEvents(filter: { site: $site, range: $range }) { stages indexName keysExamined documentsExamined returned }
      }`,
      { site, range },
    );
    expect(report.data).toEqual({
      requestsByDayAndPage: [{ day: '2026-01-05T00:00:00.000Z', page: '/a', requests: 2 }],
      explainEvents: {
        stages: ['LIMIT', 'FETCH', 'IXSCAN'],
        indexName: 'site_1_time_1__id_1',
        keysExamined: 2,
        documentsExamined: 2,
        returned: 2,
      },
    });
  });
});
