/**
 * The archive of an account's data: a ZIP of JSON lines, a file after the other, of pictures, and of an index. It is made while it is
 * read: a reader that stops makes it stop, and little of it is ever in memory.
 */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Db } from 'mongodb';
import { ZipFile } from 'yazl';
import { BusyError } from '../../../shared/errors.js';
import type { PersonalDataOfDomain, PersonalRow } from '../../personal-data.js';
import { findAsset } from '../assets/asset.js';
import { FileGoneError, readFile } from '../assets/asset-file.js';

export interface Archive {
  readonly bytes: Readable;
  /** How many rows and pictures were read so far. */
  readonly items: number;
}

interface Entry {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  readonly isCompressed: boolean;
}

/** A file in `index.json`. */
interface ListedFile {
  readonly name: string;
  readonly domain: string;
  readonly content: string;
  rows: number;
}

export interface ArchiveRequest {
  readonly accountId: string;
  readonly personalData: readonly PersonalDataOfDomain[];
  readonly now: Date;
}

export function openArchive(db: Db, request: ArchiveRequest): Archive {
  const zip = new ZipFile();
  const bytes = zip.outputStream as Readable;
  const contents = new Contents(db, request);
  let current: Readable | null = null;
  const fail = (error: Error) => bytes.destroy(error);
  zip.on('error', fail);
  bytes.on('close', () => current?.destroy());
  const fill = async () => {
    for await (const { name, bytes: entry, isCompressed } of contents.entries()) {
      current = Readable.from(entry, { objectMode: false });
      zip.addReadStream(current, name, { mtime: request.now, compress: isCompressed });
      await finished(current);
    }
    zip.end();
  };
  fill().catch(fail);
  return {
    bytes,
    get items() {
      return contents.items;
    },
  };
}

class Contents {
  readonly #db: Db;
  readonly #request: ArchiveRequest;
  readonly #files: ListedFile[] = [];
  #pictures = 0;

  constructor(db: Db, request: ArchiveRequest) {
    this.#db = db;
    this.#request = request;
  }

  get items(): number {
    return this.#pictures + this.#files.reduce((sum, { rows }) => sum + rows, 0);
  }

  async *entries(): AsyncGenerator<Entry, undefined> {
    for (const domain of this.#request.personalData) yield* this.#rowsOf(domain);
    const seen = new Set<string>();
    for (const domain of this.#request.personalData) yield* this.#picturesOf(domain, seen);
    yield { name: 'index.json', bytes: this.#index(), isCompressed: true }; // last: it has the numbers of rows
  }

  async *#rowsOf({ domain, files, rows }: PersonalDataOfDomain): AsyncGenerator<Entry, undefined> {
    const found = rows(this.#db, this.#request.accountId)[Symbol.asyncIterator]();
    try {
      let next = await found.next();
      const linesOf = async function* (file: ListedFile): AsyncGenerator<Buffer, undefined> {
        for (; isIn(file, next); next = await found.next()) {
          file.rows += 1;
          yield Buffer.from(`${JSON.stringify(next.value.row)}\n`);
        }
      };
      for (const [name, content] of Object.entries(files)) {
        const file: ListedFile = { name, domain, content, rows: 0 };
        this.#files.push(file);
        yield { name, bytes: linesOf(file), isCompressed: true };
      }
      if (!next.done) throw new Error(`The rows of ${next.value.file} are not declared in this place`);
    } finally {
      await found.return?.();
    }
  }

  async *#picturesOf({ assets }: PersonalDataOfDomain, seen: Set<string>): AsyncGenerator<Entry, undefined> {
    for await (const id of assets?.(this.#db, this.#request.accountId) ?? []) {
      const asset = seen.has(id) ? null : await findAsset(this.#db, id);
      seen.add(id);
      if (!asset) continue;
      const [, extension = ''] = asset.metadata.content_type.split('/');
      const bytes = unlessRemoved(readFile(this.#db, asset, 0, asset.length));
      yield { name: `pictures/${id}.${extension}`, bytes, isCompressed: false };
      this.#pictures += 1;
    }
  }

  async *#index(): AsyncGenerator<Buffer, undefined> {
    const { accountId, now } = this.#request;
    const pictures = {
      folder: 'pictures',
      pictures: this.#pictures,
      content: 'The pictures of `pictures.jsonl`, by id',
    };
    const index = { account: accountId, exported_at: now, files: [...this.#files, pictures] };
    yield Buffer.from(`${JSON.stringify(index, null, 2)}\n`);
  }
}

const isIn = (
  { name }: ListedFile,
  next: IteratorResult<PersonalRow, unknown>,
): next is IteratorYieldResult<PersonalRow> => !next.done && next.value.file === name;

/** @throws BusyError it was removed meanwhile: the next attempt no longer finds it */
async function* unlessRemoved(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  try {
    yield* chunks;
  } catch (error) {
    if (error instanceof FileGoneError) throw new BusyError('A picture was removed while it was read');
    throw error;
  }
}
