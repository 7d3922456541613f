/** The contract's row of imports of networks. */
import { expect } from 'vitest';
import { lines } from '../../content/import/import-support.js';
import type { Row } from '../../contract/row.js';

const text = expect.any(String);

export const importRows: readonly Row[] = [
  {
    operation: 'ImportNetwork',
    variables: { input: { source: 'contract' } },
    file: new File(
      [
        lines([
          { person: 'ann', name: 'Imported Ann' },
          { person: 'ben', name: 'Imported Ben' },
          { circle: 'Friends', of: 'ann', members: ['ben'] },
          { post: 1, by: 'ann', text: 'Imported', at: '2020-01-01T00:00:00Z' },
        ]),
      ],
      'network.jsonl',
    ),
    expected: { importNetwork: { __typename: 'DataImport', id: text, state: 'WAITING', fileName: 'network.jsonl' } },
  },
];
