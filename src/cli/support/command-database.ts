/**
 * The database of a command. Settings may differ between a shell and a service, and a command on the wrong database fails
 * silently. So every command first reports which database it opened, and whether a server running here uses another.
 */
import type { Db } from 'mongodb';
import type { Config } from '../../config/config.js';
import { findIdentity } from '../../database/index.js';
import { type OpenDatabase, openDatabase } from '../../database/open-database.js';
import { unbroken } from '../../terminal/fold.js';
import { tell } from '../../terminal/output.js';
import type { Steps } from '../../terminal/steps.js';
import { findServer } from './running-server.js';

/** Opens the database and names it on standard error, before anything is written. @throws DatabaseError */
export async function openCommandDatabase(config: Config, steps: Steps): Promise<OpenDatabase> {
  const opened = await openDatabase(config, steps.show);
  steps.end();
  try {
    const doubts = await findDoubts(opened.db, config);
    tell(`Database: ${describeDatabase(opened)}`);
    if (doubts.length > 0) tell([...doubts, ADVICE].join(' '));
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

const ADVICE =
  'To use the database of the server, set DATA_DIR, or MONGODB_URI and MONGODB_DATABASE, as the server has them.';

async function findDoubts(db: Db, config: Config): Promise<string[]> {
  const server = await findServer(config);
  const isOther = server !== null && server.identity !== (await findIdentity(db));
  return [
    ...((await isNew(db)) ? ['This database is new.'] : []),
    ...(isOther ? [`The server at ${server.url} uses another database.`] : []),
  ];
}

/** Call it before the indexes are built. */
async function isNew(db: Db): Promise<boolean> {
  return !(await db.listCollections({}, { nameOnly: true }).hasNext());
}

/** Without the credentials in the URI. */
function describeDatabase({ db, folder }: OpenDatabase): string {
  if (folder !== null) return `embedded, in ${unbroken(folder)}`;
  return `${db.databaseName} at ${db.client.options.hosts.map(String).join(', ')}`;
}
