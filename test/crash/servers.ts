/** Servers that are killed in turn. */
import { type Product, startProduct } from '../../harness/product.js';
import type { Random } from '../../harness/random.js';

/** Two servers on one database, of which at least one runs. */
export class Servers {
  readonly #place: { readonly mongodbUri: string; readonly database: string };
  #running: Product[] = [];

  constructor(place: { readonly mongodbUri: string; readonly database: string }) {
    this.#place = place;
  }

  async start(): Promise<void> {
    this.#running.push(await startProduct(this.#place));
  }

  any(random: Random): Product {
    const product = this.#running[random.below(this.#running.length)];
    if (!product) throw new Error('No server runs');
    return product;
  }

  /** Kills one, and replaces it while the other one serves. */
  async replace(random: Random): Promise<void> {
    const [killed] = this.#running.splice(random.below(this.#running.length), 1);
    await killed?.kill();
    await this.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((product) => product.kill()));
  }
}
