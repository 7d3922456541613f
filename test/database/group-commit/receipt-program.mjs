/**
 * A process that records receipts, for tests that kill it. It prints each outcome when it is acknowledged.
 * Usage: node receipt-program.mjs URI DATABASE BUDGET RECEIPTS CALLERS [STEP:PASS]. It dies at that pass of the step.
 */
import { MongoClient } from 'mongodb';
import { GroupCommit, outcomeOf, SeparateRecords } from '../../../dist/database/index.js';
import { armFailpoint, failpoint } from '../../../dist/shared/failpoint.js';
import { receiptGroups } from './receipts.mjs';

const [uri, database, budget, receipts, callers, failpointAt] = process.argv.slice(2);
if (failpointAt) armFailpoint(failpointAt);
const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority' }, appName: 'sextant-receipts' });
const db = client.db(database);
const commit = new GroupCommit(receiptGroups(db, failpoint, SeparateRecords), { db, waitingMax: 1000 });
let next = 0;

async function caller() {
  while (next < Number(receipts)) {
    const receipt = { id: `${budget}-${next}`, budget };
    next += 1;
    const [result] = await commit.record([receipt], 'MAJORITY');
    process.stdout.write(`${receipt.id} ${outcomeOf(result, receipt)}\n`);
  }
}

await Promise.all(Array.from({ length: Number(callers) }, caller));
await commit.close();
await client.close();
