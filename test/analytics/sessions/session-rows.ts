/** The rows of sessions and their roll-ups. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';

const text = expect.any(String);
const session = (at: string, length: number) => ({ userId: 'rick', at, length });
const day = { from: '2010-10-10T00:00:00.000Z', to: '2010-10-11T00:00:00.000Z' };
const stats = (total: number, count: number) => ({ at: day.from, total, count, mean: total / count });
const written = (documentsWritten: number) =>
  ['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'].map((level) => ({
    level,
    documentsWritten,
    milliseconds: expect.any(Number),
  }));

export const sessionRows: readonly Row[] = [
  {
    operation: 'RecordSessions',
    variables: {
      sessions: [
        session('2010-10-10T14:17:22.000Z', 95),
        session('2010-10-10T14:20:00.000Z', 5),
        session(day.from, -1),
      ],
    },
    expected: {
      recordSessions: {
        recorded: 2,
        rejected: [{ index: 2, code: 'BAD_USER_INPUT', message: expect.stringContaining('length') }],
      },
    },
  },
  { operation: 'RollUp', variables: { cutoff: 'PT0S' }, expected: { rollUp: written(1) } },
  {
    operation: 'SessionStats',
    variables: { userId: 'rick', range: day, level: 'DAY' },
    expected: {
      sessionStats: {
        edges: [{ node: { userId: 'rick', ...stats(100, 2) } }],
        pageInfo: { hasNextPage: false, endCursor: text },
      },
    },
  },
  {
    operation: 'LiveSessionStats',
    variables: { userId: 'rick', level: 'DAY' },
    before:
      'mutation { recordSessions(sessions: [{ userId: "rick", at: "2010-10-10T23:00:00Z", length: 20 }]) { recorded } }',
    expected: { sessionStatsChanged: { cursor: text, stats: [stats(100, 2)] } },
    afterwards: {
      operation: 'RollUp',
      variables: { cutoff: 'PT0S' },
      expected: { sessionStatsChanged: { cursor: text, stats: [stats(120, 3)] } },
    },
  },
];
