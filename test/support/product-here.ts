/** The product in this process. Separate from `harness/product.ts`, which benchmarks use without the server's own code. */

import { clientOf, type ProductClient, type ProductOptions, settingsOf } from '../../harness/product.js';
import { readConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/database/open-database.js';
import { startApplication } from '../../src/process/application.js';

/**
 * A fresh server after a dead one, without the second that a process needs to load its code.
 * @returns a client for it, with a function that closes it
 */
export async function startProductHere(options: ProductOptions): Promise<ProductClient & { close(): Promise<void> }> {
  const config = readConfig({ ...settingsOf(options), NODE_ENV: 'test', LOG_LEVEL: 'silent' });
  const database = await openDatabase(config, () => undefined);
  const { url, close } = await startApplication(config, database, () => undefined);
  return {
    ...clientOf(url),
    close: async () => {
      await close();
      await database.close();
    },
  };
}
