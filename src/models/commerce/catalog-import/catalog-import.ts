/**
 * Importing a catalog, line by line. No state is stored: products are replaced by SKU and existing categories are kept, so after an
 * interruption the same file can be imported again.
 */
import type { Db } from 'mongodb';
import { SextantError } from '../../../shared/errors.js';
import type { Act } from '../../people/audit.js';
import { saveProducts } from '../catalog/catalog.js';
import { type AddCategory, addCategories } from '../catalog/category-change.js';
import type { ProductInput } from '../catalog/product-input.js';
import { parseCatalogLine } from './catalog-line.js';

export interface CatalogImportProgress {
  /** Lines read. */
  readonly lines: number;
  readonly products: number;
  /** Categories added. Existing ones do not count. */
  readonly categories: number;
  readonly rejected: number;
}

export interface CatalogImportOptions {
  /** The store's currency. */
  readonly currency: string;
  /** For the audit trail. */
  readonly act: Act;
  /** The holder of the category tree's lease. */
  readonly holder: string;
  /** Whether to stop. Called after each batch. */
  readonly isStopping: () => boolean;
  /** @param bytes of all lines so far, including line feeds */
  readonly onProgress: (progress: CatalogImportProgress, bytes: number) => void;
  /** @param line starts at 1 */
  readonly onReject: (line: number, reason: string) => void;
}

interface Numbered<T> {
  readonly line: number;
  readonly item: T;
}

const BATCH_MAX = 500;
const BATCH_BYTES_MAX = 4 * 1024 * 1024; // limits memory and the size of the transaction
const BLANK = 0x20; // spaces, tabs and carriage returns; a line of control characters is not JSON either
const isBlank = (line: Buffer): boolean => line.every((byte) => byte <= BLANK);

/** Lines take effect in order: a category may be followed by its products. @throws BusyError */
export async function importCatalog(
  db: Db,
  lines: AsyncIterable<Buffer>,
  options: CatalogImportOptions,
): Promise<CatalogImportProgress> {
  const batch = new Batch(db, options);
  for await (const line of lines) {
    await batch.take(line);
    if (batch.isEmpty && options.isStopping()) return batch.progress;
  }
  await batch.flush();
  return batch.progress;
}

/** Consecutive lines of one kind, which are stored together. */
class Batch {
  progress = { lines: 0, products: 0, categories: 0, rejected: 0 };
  #products: Numbered<ProductInput>[] = [];
  #categories: Numbered<AddCategory>[] = [];
  /** Bytes of the lines in this batch. */
  #bytes = 0;
  /** Bytes of all lines accepted so far. */
  #bytesRead = 0;
  readonly #db: Db;
  readonly #options: CatalogImportOptions;

  constructor(db: Db, options: CatalogImportOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Whether everything accepted so far is stored. */
  get isEmpty(): boolean {
    return this.#products.length + this.#categories.length === 0;
  }

  async take(bytes: Buffer): Promise<void> {
    this.progress.lines += 1;
    this.#bytesRead += bytes.length + 1;
    const line = this.progress.lines;
    if (isBlank(bytes)) return;
    const read = parseCatalogLine(bytes);
    if (read.kind === 'rejected') {
      this.#reject(line, read.reason);
    } else if (read.kind === 'product') {
      if (this.#categories.length > 0) await this.flush();
      this.#products.push({ line, item: read.product });
    } else {
      if (this.#products.length > 0) await this.flush();
      this.#categories.push({ line, item: read.category });
    }
    if (read.kind !== 'rejected') this.#bytes += bytes.length;
    if (this.#products.length + this.#categories.length >= BATCH_MAX || this.#bytes >= BATCH_BYTES_MAX)
      await this.flush();
  }

  async flush(): Promise<void> {
    const [products, categories] = [this.#products, this.#categories];
    if (products.length > 0) await this.#saveProducts(products);
    if (categories.length > 0) await this.#addCategories(categories);
    [this.#products, this.#categories, this.#bytes] = [[], [], 0];
    this.#options.onProgress({ ...this.progress }, this.#bytesRead);
  }

  async #saveProducts(batch: readonly Numbered<ProductInput>[]): Promise<void> {
    const inputs = batch.map(({ item }) => item);
    const { saved, rejected } = await saveProducts(this.#db, this.#options.act, inputs, this.#options.currency);
    this.progress.products += saved;
    for (const { index, message } of rejected) this.#reject(batch[index]?.line ?? 0, message);
  }

  async #addCategories(batch: readonly Numbered<AddCategory>[]): Promise<void> {
    const inputs = batch.map(({ item }) => item);
    const outcomes = await addCategories(this.#db, this.#options.holder, inputs);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome instanceof SextantError) this.#reject(batch[index]?.line ?? 0, outcome.message);
      else if (!('message' in outcome)) this.progress.categories += 1;
      else if (outcome.__typename !== 'CategorySlugTaken') this.#reject(batch[index]?.line ?? 0, outcome.message);
    }
  }

  #reject(line: number, reason: string): void {
    this.progress.rejected += 1;
    this.#options.onReject(line, reason);
  }
}
