/** The bytes of a file that is imported: unpacked if it is gzip, and its beginning, which tells what it is. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export type FileFormat = 'JSON_LINES' | 'FEED';

/** Enough to tell what a file is. */
const START_BYTES = 4096;
/** Text is packed to a twentieth at best; what unpacks to far more is made to fill disks. */
const UNPACKED_TIMES_MAX = 200;
/** However small the packed file is. */
const UNPACKED_BYTES_FREE = 1024 * 1024;

/** The file cannot be imported. The message is for the user. */
export class ImportFileError extends Error {
  override name = 'ImportFileError';
}

const isGzip = (start: Buffer): boolean => start[0] === 0x1f && start[1] === 0x8b;

/** To be read once. */
export class ImportFile {
  #start = Buffer.alloc(0);

  constructor(private readonly bytes: Readable) {}

  /** @throws ImportFileError it is damaged gzip, or unpacks to far more than it is */
  open(): Readable {
    return Readable.from(this.#keepingStart(), { objectMode: false });
  }

  async *#keepingStart(): AsyncGenerator<Buffer, undefined> {
    for await (const chunk of unpacked(this.bytes)) {
      if (this.#start.length < START_BYTES)
        this.#start = Buffer.concat([this.#start, chunk.subarray(0, START_BYTES - this.#start.length)]);
      yield chunk;
    }
  }

  /** After the file has been read. @returns null if it seems to be of this format */
  reasonToRefuse(format: FileFormat): string | null {
    const [first, second] = this.#start;
    if (isUtf16(first, second)) return 'The file is in UTF-16. Save it in UTF-8';
    if (isGzip(this.#start)) return 'The file is packed twice with gzip';
    const text = this.#start
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart();
    if (text === '') return 'The file is empty';
    if (format === 'FEED')
      return text.startsWith('<') ? null : 'The file is no feed: it does not start with an XML element';
    return text.startsWith('{') ? null : 'The file does not consist of JSON lines: it does not start with an object';
  }
}

/** With a byte order mark, or an ASCII character of two bytes. */
const isUtf16 = (first: number | undefined, second: number | undefined): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (second !== undefined && (first === 0) !== (second === 0));

async function* unpacked(bytes: Readable): AsyncGenerator<Buffer, undefined> {
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head: Buffer[] = [];
  for (let length = 0; length < 2; ) {
    const { value, done } = await chunks.next();
    if (done) break;
    head.push(value);
    length += value.length;
  }
  const whole = async function* (): AsyncGenerator<Buffer, undefined> {
    yield* head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  if (isGzip(Buffer.concat(head))) yield* gunzipped(whole());
  else yield* whole();
}

async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  const gunzip = createGunzip();
  // The callback is only for the end of the stream. Errors reach the caller, who iterates.
  const stream = pipeline(Readable.from(packed, { objectMode: false }), gunzip, () => undefined);
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > UNPACKED_BYTES_FREE + UNPACKED_TIMES_MAX * gunzip.bytesWritten)
        throw new ImportFileError(`The file unpacks to more than ${UNPACKED_TIMES_MAX} times its size`);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new ImportFileError('The gzip file is truncated');
    if (code === 'Z_DATA_ERROR') throw new ImportFileError('The gzip file is damaged');
    throw error;
  }
}
