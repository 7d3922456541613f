/** The contract's rows of the files of worlds. */
import { expect } from 'vitest';
import { lines } from '../../content/import/import-support.js';
import type { Row } from '../../contract/row.js';

const text = expect.any(String);

export const worldFileRows: readonly Row[] = [
  {
    operation: 'ImportWorld',
    variables: { input: { format: 'JSON_LINES', prefix: 'contract' } },
    file: new File(
      [
        lines([
          { location: 'tower', name: 'Tower' },
          { item: 'bell', name: 'bell', place: 'tower' },
        ]),
      ],
      'world.jsonl',
    ),
    expected: { importWorld: { __typename: 'DataImport', id: text, state: 'WAITING', fileName: 'world.jsonl' } },
  },
  {
    operation: 'ExportWorld',
    variables: {},
    expected: { exportWorld: { id: text, state: 'WAITING', done: 0, total: null, url: null, expiresAt: null } },
  },
];
