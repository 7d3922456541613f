/** Run as a process by `official-download.ts`: downloads the official mongod into the folder given as its only argument. */
import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js';
import { ResolveConfigVariables, setDefaultValue } from 'mongodb-memory-server-core/lib/util/resolveConfig.js';
import type { DownloadOutcome } from './official-download.js';

/** Pinned, so that every machine gets the same. The oldest release line that has builds for all current systems. */
const VERSION = '7.0.14';

async function download(folder: string): Promise<DownloadOutcome> {
  // Defaults only: the environment's MONGOMS_… settings (mirror, version, proxy) take precedence.
  setDefaultValue(ResolveConfigVariables.VERSION, VERSION);
  setDefaultValue(ResolveConfigVariables.DOWNLOAD_DIR, folder);
  setDefaultValue(ResolveConfigVariables.PREFER_GLOBAL_PATH, 'false');
  try {
    return { path: await MongoBinary.getPath() };
  } catch (error) {
    return { error: (error as Error).message.split('\n', 2).join(' ') }; // the other lines are advice for users of the package
  }
}

const [folder = '.'] = process.argv.slice(2);
const outcome = await download(folder);
process.send?.(outcome, () => process.exit()); // otherwise it would wait for the connection to be dropped
