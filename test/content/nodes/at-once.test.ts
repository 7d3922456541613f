/** Many editors edit few nodes at random at once: every edit is a version or a conflict, and none is lost. */
import { expect, it } from 'vitest';
import { findNode, type NodeDocument } from '../../../src/models/content/nodes/node.js';
import { versions } from '../../../src/models/content/nodes/node-version.js';
import { BusyError } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { add, edit, violations, write } from './node-support.js';

const database = useDatabase({ checked: false });
const NODES = 4;
const EDITORS = 25;
const EDITS = 4;

it('keeps every accepted edit as a version, and the last one as the current text', async () => {
  const stored: NodeDocument[] = [];
  for (let n = 0; n < NODES; n += 1) stored.push(await add(database.db, { slug: `node-${n}`, text: '' }));
  const accepted = new Map<string, string>(); // by call: the text
  const refused = { conflicts: 0, busy: 0 };

  const editor = async (name: number) => {
    for (let n = 0; n < EDITS; n += 1) {
      const id = stored[(name * 7 + n * 3) % NODES]?._id ?? '';
      const loaded = (await findNode(database.db, id)) as NodeDocument;
      const text = `${loaded.detail.text ?? ''}\n${name}/${n}`;
      const call = write({ author: { _id: `editor-${name}`, name: `Editor ${name}` } });
      try {
        const outcome = await edit(database.db, loaded, { text }, call);
        if ('__typename' in outcome) refused.conflicts += 1;
        else accepted.set(call.call, text);
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        refused.busy += 1; // told to try again: nothing was written
      }
    }
  };
  await Promise.all(Array.from({ length: EDITORS }, (_, name) => editor(name)));

  const kept = await versions(database.db)
    .find({ version: { $gt: 1 } })
    .toArray();
  expect(new Map(kept.map(({ _id, detail }) => [_id.nonce, detail.text]))).toEqual(accepted);
  expect(accepted.size + refused.conflicts + refused.busy).toBe(EDITORS * EDITS);
  for (const { _id } of stored) {
    const node = (await findNode(database.db, _id)) as NodeDocument;
    const lines = (node.detail.text ?? '').split('\n').slice(1);
    expect(lines).toHaveLength(node.version - 1); // each accepted edit has added its line to the one before
  }
  expect(accepted.size).toBeGreaterThanOrEqual(NODES);
  expect(await violations(database.db)).toEqual([]);
});
