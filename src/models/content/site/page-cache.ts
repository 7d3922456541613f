/**
 * Rendered pages. One is served for a second without a query. After that, its version is read again, and only a different version is
 * rendered. Requests at the same time wait for the same result.
 */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Encoding } from '../../../shared/accepted-encoding.js';
import { SECOND_MS } from '../../../shared/time.js';

const PAGES_MAX = 2000;
const BYTES_MAX = 33_554_432;
/** Of a page besides its body. */
const OVERHEAD_BYTES = 1000;
const SMALL_BYTES = 1024;
/** The page is compressed once and sent many times. */
const BROTLI_LEVEL = 6;
const GZIP_LEVEL = 7;

const compress = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: GZIP_LEVEL }),
} as const;

/** What is at an address, before it is rendered. */
export interface FoundPage {
  /** Everything that the result depends on. */
  readonly version: readonly unknown[];
  readonly changedAt: Date | null;
  readonly type: string;
  /** The sites whose players and ads the page may open in frames. */
  readonly frames: readonly string[];
  /** How long it is served without looking again. Default: a second. */
  readonly keptMs?: number;
  render(): Promise<string> | string;
}

export interface Redirect {
  readonly to: string;
}

/** What everybody could once see was deleted. */
export interface Gone {
  readonly isGone: true;
}

/** Null: there is nothing. */
export type Found = FoundPage | Redirect | Gone | null;

export class RenderedPage {
  freshUntilMs = 0;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly etag: string,
    readonly found: Pick<FoundPage, 'changedAt' | 'type' | 'frames'>,
    readonly body: Buffer,
  ) {}

  get bytes(): number {
    return 2 * this.body.length + OVERHEAD_BYTES; // compressed, it is smaller in each encoding
  }

  /** @returns null when it is too small to gain anything */
  compressed(encoding: Encoding): Promise<Buffer> | null {
    if (this.body.length < SMALL_BYTES) return null;
    const made = this.#compressed.get(encoding) ?? compress[encoding](this.body);
    this.#compressed.set(encoding, made);
    return made;
  }
}

export class PageCache {
  readonly #pages = new LRUCache<string, RenderedPage>({
    max: PAGES_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes,
  });
  readonly #finding = new Map<string, Promise<RenderedPage | Redirect | Gone | null>>();

  #rendered = 0;

  /** The number of kept pages. */
  get count(): number {
    return this.#pages.size;
  }

  /** What they hold. */
  get bytes(): number {
    return this.#pages.calculatedSize;
  }

  /** Pages rendered since the start. */
  get rendered(): number {
    return this.#rendered;
  }

  /** Without waiting. @returns null when it must be looked for */
  fresh(key: string): RenderedPage | null {
    const page = this.#pages.get(key);
    return page && page.freshUntilMs > performance.now() ? page : null;
  }

  /** What is not a page is not kept. */
  async find(key: string, find: () => Promise<Found>): Promise<RenderedPage | Redirect | Gone | null> {
    const running = this.#finding.get(key);
    if (running) return running;
    const finding = this.#find(key, find);
    this.#finding.set(key, finding);
    try {
      return await finding;
    } finally {
      this.#finding.delete(key);
    }
  }

  async #find(key: string, find: () => Promise<Found>): Promise<RenderedPage | Redirect | Gone | null> {
    const lookedAtMs = performance.now(); // before the read: a change during it is seen a moment later at most
    const found = await find();
    if (found === null || !('render' in found)) {
      this.#pages.delete(key);
      return found;
    }
    const etag = etagOf(found.version);
    const before = this.#pages.get(key);
    const page = before?.etag === etag ? before : await this.#render(found, etag);
    page.freshUntilMs = lookedAtMs + (found.keptMs ?? SECOND_MS);
    if (page !== before) this.#pages.set(key, page);
    return page;
  }

  async #render(found: FoundPage, etag: string): Promise<RenderedPage> {
    this.#rendered += 1;
    return new RenderedPage(etag, found, Buffer.from(await found.render(), 'utf8'));
  }
}

/** Weak, because the same page is sent in several encodings. */
const etagOf = (version: readonly unknown[]): string =>
  `W/"${hash('sha256', JSON.stringify(version), 'base64url').slice(0, 27)}"`;
