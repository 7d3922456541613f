/**
 * A process that does background work until it dies at a failpoint: an import that counts, its undoing, and its removal.
 * Its settings are those of the product. Usage: node work-program.mjs
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { connect } from '../../../dist/database/connection/client.js';
import { buildIndexes } from '../../../dist/database/index.js';
import { recordRows } from '../../../dist/models/system/work/data-import.js';
import { PART_BYTES, storeFile } from '../../../dist/models/system/work/work-file.js';
import { WorkLoop } from '../../../dist/models/system/work/work-loop.js';
import { removeOldWork } from '../../../dist/models/system/work/work-removal.js';
import { requestUndo, startWork } from '../../../dist/models/system/work/work-start.js';
import { armFailpoint } from '../../../dist/shared/failpoint.js';
import { COUNTED, makeCountingKind } from './counting-kind.mjs';

const { MONGODB_URI, MONGODB_DATABASE, SEXTANT_FAILPOINT, WORK_ID } = process.env;
const { client, db } = await connect(MONGODB_URI, MONGODB_DATABASE);
await buildIndexes(db);
await db.createCollection(COUNTED);
armFailpoint(SEXTANT_FAILPOINT);

const now = new Date();
const later = new Date(now.getTime() + 31 * 86_400_000);
const kind = makeCountingKind({ recordRows });
const loop = new WorkLoop(db, [kind], {
  holder: randomUUID(),
  now: () => new Date(),
  onFault: (error) => {
    throw error;
  },
  leaseMs: 1000,
});
await storeFile(db, WORK_ID, Readable.from([Buffer.alloc(2 * PART_BYTES + 1)]), 3 * PART_BYTES, now);
const file = { name: 'numbers.txt', bytes: 2 * PART_BYTES + 1 };
await startWork(db, { id: WORK_ID, kind, owner: null, input: { rows: 45, batch: 20 }, file }, now);
await loop.run(WORK_ID);
const act = { actor: 'a test', address: 'localhost', at: now, keptUntil: later };
await requestUndo(db, act, { id: WORK_ID, type: kind.type, owner: null, kinds: [kind] });
await loop.run(WORK_ID);
await removeOldWork(db, later);
await client.close();
