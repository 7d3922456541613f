/** A process that migrates nodes until it dies at a failpoint. Usage: node migration-program.mjs */
import { randomUUID } from 'node:crypto';
import { connect } from '../../../dist/database/connection/client.js';
import { buildIndexes } from '../../../dist/database/index.js';
import { nodeMigration, startNodeMigration } from '../../../dist/models/content/migration/node-migration.js';
import { nodes } from '../../../dist/models/content/nodes/node.js';
import { requireNewNode } from '../../../dist/models/content/nodes/node-creation.js';
import { versionOf, versions } from '../../../dist/models/content/nodes/node-version.js';
import { WorkLoop } from '../../../dist/models/system/work/work-loop.js';
import { armFailpoint } from '../../../dist/shared/failpoint.js';

const { MONGODB_URI, MONGODB_DATABASE, SEXTANT_FAILPOINT, COUNT } = process.env;
const { client, db } = await connect(MONGODB_URI, MONGODB_DATABASE);
await buildIndexes(db);

const author = { _id: 'ann', name: 'Ann' };
const now = new Date();
const pages = Array.from({ length: Number(COUNT) }, (_, at) =>
  requireNewNode(
    { type: 'PAGE', title: `Page ${at}`, text: `The *text* of page ${at}` },
    { call: randomUUID(), at: now, author },
  ),
);
await nodes(db).insertMany(pages.map(({ form: _form, summary: _summary, words: _words, ...old }) => old));
await versions(db).insertMany(pages.map((page) => versionOf(page, author)));
const act = { actor: 'a test', address: 'localhost', at: now, keptUntil: new Date(now.getTime() + 86_400_000) };
const { _id } = await startNodeMigration(db, act, null);

armFailpoint(SEXTANT_FAILPOINT);
const loop = new WorkLoop(db, [nodeMigration], {
  holder: randomUUID(),
  now: () => new Date(),
  onFault: (error) => {
    throw error;
  },
  leaseMs: 1000,
});
await loop.run(_id);
await client.close();
