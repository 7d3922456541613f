/** The rows of the request log's growth. They follow those of the log and use the requests recorded there. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';

const count = expect.any(Number);
const limits = { maxBytes: null, maxAge: null, collections: null };
const first = {
  name: 'log.events',
  events: 4,
  oldest: '2026-01-05T09:00:00.000Z',
  newest: expect.any(String),
  bytes: count,
};

export const logGrowthRows: readonly Row[] = [
  {
    operation: 'LogGrowth',
    variables: {},
    expected: { logGrowth: { strategy: 'UNBOUNDED', retention: limits, collections: [first] } },
  },
  {
    operation: 'ChangeLogGrowth',
    variables: { input: { strategy: 'ROTATED_COLLECTIONS', maxAge: 'P30D', collections: 4 } },
    expected: { changeLogGrowth: { __typename: 'LogGrowth', strategy: 'ROTATED_COLLECTIONS' } },
  },
];
