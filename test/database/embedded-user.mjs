/**
 * A process that uses the embedded server, for tests that kill it: opens the server of a folder, reports it, and closes it when its
 * standard input ends. Usage: node embedded-user.mjs FOLDER
 */
import { openEmbeddedServer } from '../../dist/database/embedded/index.js';

const [folder, binary] = process.argv.slice(2);
const server = await openEmbeddedServer({ folder, binary, cacheFolder: folder });
process.stdout.write(`${server.uri}\n`);
process.stdin.resume().once('end', async () => {
  await server.close();
  process.exit();
});
