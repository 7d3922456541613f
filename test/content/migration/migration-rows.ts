/** The contract's rows of the migration of nodes. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';

const anything = expect.toSatisfy(() => true) as unknown;
const view = { __typename: 'NodeMigration', id: expect.any(String) as unknown, failure: null, toForm: 2 };

export const migrationRows: readonly Row[] = [
  {
    operation: 'MigrateNodes',
    variables: {},
    expected: {
      migrateNodes: { ...view, state: 'WAITING', done: 0, total: null, startedAt: null, finishedAt: null },
    },
  },
  {
    operation: 'NodeMigration',
    variables: {},
    expected: {
      nodeMigration: {
        ...view,
        state: expect.stringMatching(/^(WAITING|RUNNING|FINISHED)$/), // by the time of this request
        done: expect.any(Number),
        total: anything,
        startedAt: anything,
        finishedAt: anything,
      },
    },
  },
];
