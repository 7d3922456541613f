/** The rows of imports and requests. They follow those of hits and use their site. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';

const site = 'example.org';
const page = '/index.html';
const text = expect.any(String);
const count = expect.any(Number);
const day = { from: '2026-01-05T00:00:00.000Z', to: '2026-01-06T00:00:00.000Z' };

const LOG = [
  '192.0.2.1 - ann [05/Jan/2026:11:00:00 +0000] "GET /index.html?from=mail HTTP/1.1" 200 2326 "http://example.com/" "Mozilla/5.0"',
  '192.0.2.2 - - [05/Jan/2026:11:00:01 +0000] "GET /missing HTTP/1.1" 404 209 "-" "-"',
  'not a line of a log',
  '192.0.2.1 - ann [05/Jan/2026:12:00:00 +0100] "GET /index.html HTTP/1.1" 304 - "-" "Mozilla/5.0"',
  '',
].join('\n');
const logBytes = Buffer.byteLength(LOG);

export const logRows: readonly Row[] = [
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
