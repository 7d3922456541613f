/** A server dies during an export of personal data: the export begins anew, and is whole in the end. */
import { expect } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import type { WorkDocument } from '../../../src/models/work.js';
import type { Scenario } from '../../crash/scenario.js';
import { rowsOf, unzip } from './zip-reader.js';

export const personalData: Scenario<void> = {
  failpoints: { 'personal-data.attempt-begun': 1 },
  async act(product) {
    await product.request('mutation { exportMyData { id } }').catch(() => null); // it may die before it answers
  },
  async judge(product, db) {
    const work = await waitFor('the export', 60_000, () =>
      db.collection<WorkDocument>('work').findOne({ kind: 'personal-data-export', state: 'FINISHED' }),
    );
    expect(work).toMatchObject({ position: { attempt: 2 } });
    const { data } = await product.request<{ exportMyData: { id: string } }>('mutation { exportMyData { id } }');
    expect(data?.exportMyData.id).toEqual(expect.any(String)); // the next one
    const response = await fetch(`${product.url}/exports/${work._id}?key=${work.download_key}`);
    const files = unzip(Buffer.from(await response.arrayBuffer()));
    expect(rowsOf(files, 'account.jsonl')).toHaveLength(1);
  },
};
