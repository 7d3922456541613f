/** For each operation of the contract: its variables and the expected result. Run in this order, on an empty database. */
import { expect } from 'vitest';
import { administrator } from '../../harness/product.js';

export interface Row {
  readonly operation: string;
  /** May use values from earlier results. */
  readonly variables: object | ((earlier: Earlier) => object);
  /** For a query or mutation: its data. For a subscription: the data of its first event, or of the one at `until`. */
  readonly expected: object;
  /** For a subscription: the event to wait for. */
  readonly until?: (data: never) => boolean;
  /** The file to upload. */
  readonly file?: File;
  /** For a subscription: the operation to send after the first event, and the expected next event. */
  readonly afterwards?: {
    readonly operation: string;
    readonly variables: object | ((earlier: Earlier) => object);
    readonly expected: object;
  };
  /** A precondition: an operation that is sent first, and the values that later rows need from it. */
  readonly before?: string;
  readonly beforeTells?: (data: never) => Earlier;
  /** The values that later rows need. */
  readonly tells?: (data: never) => Earlier;
  /** Sent as a visitor. */
  readonly visitor?: boolean;
}

export type Earlier = Readonly<Record<string, string>>;

const site = 'example.org';
const page = '/index.html';
const text = expect.any(String);
const count = expect.any(Number);
const day = { from: '2026-01-05T00:00:00.000Z', to: '2026-01-06T00:00:00.000Z' };
const hit = (at: string, of = page) => ({ site, page: of, at: `2026-01-05T${at}.000Z` });

const LOG = [
  '192.0.2.1 - ann [05/Jan/2026:11:00:00 +0000] "GET /index.html?from=mail HTTP/1.1" 200 2326 "http://example.com/" "Mozilla/5.0"',
  '192.0.2.2 - - [05/Jan/2026:11:00:01 +0000] "GET /missing HTTP/1.1" 404 209 "-" "-"',
  'not a line of a log',
  '192.0.2.1 - ann [05/Jan/2026:12:00:00 +0100] "GET /index.html HTTP/1.1" 304 - "-" "Mozilla/5.0"',
  '',
].join('\n');
const logBytes = Buffer.byteLength(LOG);

/** The hours of the day with these counts. */
function hours(counts: Readonly<Record<number, number>>): object[] {
  return Array.from({ length: 24 }, (_, hour) => ({
    at: `2026-01-05T${String(hour).padStart(2, '0')}:00:00.000Z`,
    count: counts[hour] ?? 0,
  }));
}

const signedIn = { __typename: 'SignedIn', accessToken: text, accessTokenExpiresAt: text, refreshToken: text };
const member = { email: 'ann@example.org', name: 'Ann' };
const viewer = { id: text, email: administrator.email, name: text, roles: ['ADMIN'] };

export const rows: readonly Row[] = [
  {
    operation: 'SignIn',
    variables: administrator,
    visitor: true,
    expected: { signIn: { ...signedIn, viewer } },
    tells: ({ signIn }: { signIn: { refreshToken: string } }) => ({ refreshToken: signIn.refreshToken }),
  },
  { operation: 'Viewer', variables: {}, expected: { viewer } },
  {
    operation: 'Refresh',
    variables: ({ refreshToken }) => ({ refreshToken }),
    visitor: true,
    expected: { refresh: signedIn },
  },
  { operation: 'SignOut', variables: {}, visitor: true, expected: { signOut: { signedOut: false } } },
  {
    operation: 'SignUp',
    variables: { input: { ...member, password: 'correct horse battery staple' } },
    visitor: true,
    expected: { signUp: { ...signedIn, viewer: { ...member, id: text, roles: ['MEMBER'] } } },
    tells: ({ signUp }: { signUp: { viewer: { id: string } } }) => ({ memberId: signUp.viewer.id }),
  },
  {
    operation: 'GrantRole',
    variables: ({ memberId }) => ({ userId: memberId, role: 'EDITOR' }),
    expected: { grantRole: { id: text, roles: ['MEMBER', 'EDITOR'] } },
  },
  {
    operation: 'RevokeRole',
    variables: ({ memberId }) => ({ userId: memberId, role: 'EDITOR' }),
    expected: { revokeRole: { id: text, roles: ['MEMBER'] } },
  },
  {
    operation: 'People',
    variables: {},
    expected: {
      people: {
        edges: [
          { node: { ...viewer, createdAt: text } },
          { node: { ...member, id: text, roles: ['MEMBER'], createdAt: text } },
        ],
        pageInfo: { hasNextPage: false, endCursor: text },
      },
    },
  },
  {
    operation: 'CreateApiKey',
    variables: { input: { name: 'Counter', scopes: ['HITS_WRITE'] } },
    expected: {
      createApiKey: {
        key: expect.stringMatching(/^sxt_[\w-]{43}$/),
        apiKey: { id: text, name: 'Counter', scopes: ['HITS_WRITE'], createdAt: text },
      },
    },
    tells: ({ createApiKey }: { createApiKey: { apiKey: { id: string } } }) => ({ keyId: createApiKey.apiKey.id }),
  },
  {
    operation: 'RevokeApiKey',
    variables: ({ keyId }) => ({ id: keyId }),
    expected: { revokeApiKey: { id: text, revokedAt: text } },
  },
  {
    operation: 'ApiKeys',
    variables: {},
    expected: {
      apiKeys: [
        { id: text, name: 'Counter', scopes: ['HITS_WRITE'], createdAt: text, lastUsedAt: null, revokedAt: text },
      ],
    },
  },
  {
    operation: 'AuditTrail',
    variables: {},
    expected: {
      auditTrail: {
        edges: [
          ['API_KEY_REVOKED', 'Counter'],
          ['API_KEY_CREATED', 'Counter'],
          ['ROLE_REVOKED', member.email],
          ['ROLE_GRANTED', member.email],
        ].map(([action, subject]) => ({
          node: { at: text, actor: administrator.email, action, subject, address: '127.0.0.1' },
        })),
        pageInfo: { hasNextPage: false, endCursor: text },
      },
    },
  },
  {
    operation: 'RegisterSite',
    variables: { input: { host: site, allowedOrigins: [`https://${site}`] } },
    expected: {
      registerSite: { __typename: 'Site', id: text, host: site, snippet: expect.stringContaining('<script') },
    },
  },
  { operation: 'RecordHit', variables: { hit: hit('10:00:00') }, expected: { recordHit: { recorded: 1 } } },
  {
    operation: 'RecordHits',
    variables: { hits: [hit('10:00:30'), hit('10:59:59'), hit('23:59:59', '/other'), hit('10:00:00', '')] },
    expected: {
      recordHits: {
        recorded: 3,
        documentsTouched: 4,
        rejected: [{ index: 3, code: 'BAD_USER_INPUT', message: expect.stringContaining('page') }],
      },
    },
  },
  {
    operation: 'HitChart',
    variables: { site, page, range: day, unit: 'HOUR' },
    expected: { hitChart: { unit: 'HOUR', total: 3, points: hours({ 10: 3 }), documentsRead: 1 } },
  },
  {
    operation: 'TopPages',
    variables: { site, range: day },
    expected: {
      topPages: [
        { page, count: 3 },
        { page: '/other', count: 1 },
      ],
    },
  },
  {
    operation: 'LiveHitChart',
    variables: { site, page: '/live', last: 'PT2H', unit: 'HOUR' },
    expected: {
      hitChartChanged: {
        __typename: 'HitChartSnapshot',
        cursor: text,
        reset: false,
        chart: { unit: 'HOUR', total: 0, points: expect.arrayContaining([{ at: text, count: 0 }]) },
      },
    },
    afterwards: {
      operation: 'RecordHit',
      variables: { hit: { site, page: '/live' } },
      expected: { hitChartChanged: { __typename: 'HitChartChange', cursor: text, points: [{ at: text, count: 1 }] } },
    },
  },
  {
    operation: 'LiveTopPages',
    variables: { site },
    expected: { topPagesChanged: { cursor: text, pages: [{ page: '/live', count: 1 }] } },
    afterwards: {
      operation: 'RecordHit',
      variables: { hit: { site, page: '/live' } },
      expected: { topPagesChanged: { cursor: text, pages: [{ page: '/live', count: 2 }] } },
    },
  },
  {
    operation: 'ImportLog',
    variables: { input: { site } },
    file: new File([LOG], 'access.log', { type: 'text/plain' }),
    expected: { importLog: { __typename: 'LogImport', id: text, state: text, fileName: 'access.log' } },
    tells: ({ importLog }: { importLog: { id: string } }) => ({ importId: importLog.id }),
  },
  {
    operation: 'LogImportProgress',
    variables: ({ importId }) => ({ id: importId }),
    until: ({ logImportChanged }: { logImportChanged: { import: { state: string } } }) =>
      logImportChanged.import.state === 'FINISHED',
    expected: {
      logImportChanged: {
        cursor: text,
        import: {
          id: text,
          state: 'FINISHED',
          bytesRead: logBytes,
          bytesTotal: logBytes,
          lines: 4,
          imported: 3,
          rejected: 1,
        },
      },
    },
  },
  {
    operation: 'LogImport',
    variables: ({ importId }) => ({ id: importId }),
    expected: {
      logImport: {
        id: text,
        state: 'FINISHED',
        fileName: 'access.log',
        bytesRead: logBytes,
        bytesTotal: logBytes,
        lines: 4,
        imported: 3,
        rejected: 1,
        startedAt: text,
        finishedAt: text,
        rejects: {
          edges: [{ node: { line: 3, reason: text, raw: 'not a line of a log' } }],
          pageInfo: { hasNextPage: false, endCursor: text },
        },
      },
    },
  },
  {
    operation: 'RecordEvents',
    variables: {
      events: [
        { site, time: '2026-01-05T09:00:00.000Z', host: '192.0.2.3', method: 'GET', path: '/other', status: 200 },
        { site, time: '2026-01-05T09:00:00.000Z', host: '', status: 200 },
      ],
    },
    expected: {
      recordEvents: {
        inserted: 1,
        rejected: [{ index: 1, code: 'BAD_USER_INPUT', message: expect.stringContaining('host') }],
      },
    },
  },
  {
    operation: 'Events',
    variables: { filter: { site, host: '192.0.2.1', range: day }, first: 1 },
    expected: {
      events: {
        edges: [
          {
            cursor: text,
            node: {
              id: text,
              time: '2026-01-05T11:00:00.000Z',
              host: '192.0.2.1',
              user: 'ann',
              method: 'GET',
              path: expect.stringMatching(/^\/index\.html/),
              protocol: 'HTTP/1.1',
              status: expect.any(Number),
              bytes: expect.toSatisfy((bytes) => bytes === null || bytes === 2326),
              referrer: expect.toSatisfy((referrer) => referrer === null || referrer === 'http://example.com/'),
              userAgent: 'Mozilla/5.0',
            },
          },
        ],
        pageInfo: { hasNextPage: true, endCursor: text },
      },
    },
  },
  {
    operation: 'RequestsByDayAndPage',
    variables: { site, range: day },
    expected: {
      requestsByDayAndPage: [
        { day: day.from, page, requests: 2 },
        { day: day.from, page: '/missing', requests: 1 },
        { day: day.from, page: '/other', requests: 1 },
      ],
    },
  },
  {
    operation: 'ExplainEvents',
    variables: { filter: { site, path: '/missing' } },
    expected: {
      explainEvents: {
        stages: expect.arrayContaining(['IXSCAN']),
        indexName: 'site_1_path_1_time_1__id_1',
        keysExamined: 1,
        documentsExamined: 1,
        returned: 1,
        milliseconds: count,
      },
    },
  },
  {
    operation: 'Storage',
    variables: { collection: 'log.events' },
    expected: {
      storage: {
        documents: 4,
        dataBytes: count,
        storageBytes: count,
        indexes: expect.arrayContaining([{ name: '_id_', bytes: count, uses: count }]),
      },
    },
  },
];
