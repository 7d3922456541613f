/**
 * A picture on its way in or out, in a temporary file, so that memory does not grow with its size: sharp, and the removal of metadata,
 * need random access. The file is deleted when the work ends; what a killed process leaves is deleted when another one starts.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LimitError } from '../../../../shared/errors.js';
import { HOUR_MS } from '../../../../shared/time.js';

const PREFIX = 'sextant-picture-';
/** Far longer than any work on a picture takes. */
const ABANDONED_MS = HOUR_MS;

export class SpooledPicture {
  private constructor(
    readonly path: string,
    readonly handle: FileHandle,
    readonly bytes: number,
  ) {}

  /**
   * Runs work on a file with these bytes, and deletes it.
   * @throws LimitError there are more than `bytesMax`
   * @throws the source's error
   */
  static async use<T>(
    source: AsyncIterable<Uint8Array>,
    bytesMax: number,
    work: (picture: SpooledPicture) => Promise<T>,
  ): Promise<T> {
    await mkdir(tmpdir(), { recursive: true });
    const path = join(tmpdir(), `${PREFIX}${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    try {
      return await work(new SpooledPicture(path, handle, await receive(source, handle, bytesMax)));
    } finally {
      await handle.close();
      await rm(path, { force: true });
    }
  }
}

async function receive(source: AsyncIterable<Uint8Array>, handle: FileHandle, bytesMax: number): Promise<number> {
  let bytes = 0;
  for await (const part of source) {
    bytes += part.length;
    if (bytes > bytesMax) throw new LimitError(`The picture is larger than ${bytesMax} bytes`, bytesMax);
    await handle.writeFile(part);
  }
  return bytes;
}

/** Deletes what killed processes of this machine left. */
export async function deleteAbandonedSpools(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const before = Date.now() - ABANDONED_MS; // of the same clock as the files' times
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < before) await rm(path, { force: true });
  }
}
