/** The contract's rows of imports and exports of content, and of background work. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';
import { lines } from './import-support.js';

const anyTime = expect.any(String) as unknown;
const view = (state: string, fields: object = {}) => ({
  __typename: 'DataImport',
  id: expect.any(String) as unknown,
  state,
  done: 0,
  total: null,
  startedAt: null,
  finishedAt: null,
  failure: null,
  ...fields,
});
const finished = view('FINISHED', { done: 3, total: 3, startedAt: anyTime, finishedAt: anyTime });

export const importRows: readonly Row[] = [
  {
    operation: 'ImportContent',
    before:
      'mutation { createNode(input: { type: BLOG, title: "Imported", slug: "imported" }) { ... on Blog { id } } }',
    beforeTells: ({ createNode }: { createNode: { id: string } }) => ({ importBlog: createNode.id }),
    variables: ({ importBlog }) => ({ input: { parentId: importBlog, format: 'JSON_LINES' } }),
    file: new File(
      [lines([{ title: 'One' }, { title: 'Two', date: '2020-01-01' }, { title: 'One', body: 'Again' }])],
      'posts.jsonl',
    ),
    expected: { importContent: view('WAITING', { fileName: 'posts.jsonl' }) },
    tells: ({ importContent }: { importContent: { id: string } }) => ({ contentImport: importContent.id }),
  },
  {
    operation: 'WorkChanged',
    variables: ({ contentImport }) => ({ id: contentImport }),
    until: ({ workChanged }: { workChanged: { work: { state: string } } }) => workChanged.work.state === 'FINISHED',
    expected: { workChanged: { cursor: expect.any(String), reset: false, work: finished } },
  },
  {
    operation: 'ImportReport',
    variables: ({ contentImport }) => ({ id: contentImport }),
    expected: {
      node: {
        ...finished,
        fileName: 'posts.jsonl',
        imported: 2,
        rejected: 1,
        rejectReasons: [{ reason: 'There is a node with this path already, and its content differs', count: 1 }],
        rejects: {
          edges: [
            {
              node: {
                line: 3,
                reason: 'There is a node with this path already, and its content differs',
                raw: '{"title":"One","body":"Again"}',
              },
            },
          ],
          pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
        },
      },
    },
  },
  {
    operation: 'BackgroundWork',
    variables: { state: 'FINISHED' },
    expected: {
      backgroundWork: { edges: [{ node: finished }], pageInfo: { hasNextPage: false, endCursor: expect.any(String) } },
    },
  },
  {
    operation: 'UndoImport',
    variables: ({ contentImport }) => ({ id: contentImport }),
    expected: { undoImport: view('UNDOING', { done: 3, total: 3, startedAt: anyTime }) },
  },
  {
    operation: 'ExportContent',
    variables: ({ importBlog }) => ({ parentId: importBlog }),
    expected: {
      exportContent: { ...view('WAITING'), __typename: 'DataExport', url: null, bytes: null, expiresAt: null },
    },
  },
];
