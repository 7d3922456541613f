/** The product in this process. Apart from `product.ts`, which benchmarks use without the server's own code. */
import { startApplication } from '../../src/application.js';
import { readConfig } from '../../src/config.js';
import { openDatabase } from '../../src/database/open-database.js';
import { clientOf, type ProductClient, type ProductOptions, settingsOf } from './product.js';

/**
 * A fresh server for what a dead one has left, without the second that a process needs to load its code.
 * @returns closes it
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
