/**
 * Cursors: a position as text that nobody can forge. It begins with the cluster time in the clear, so that a client can compare it
 * with `extensions.writtenAt`; the rest is bytes in base64url:
 *
 *   key id (4) | pipeline (4) | index (4) | entry (2) | HMAC-SHA256 over all of it, the feed and its key, cut to 16
 *
 * The feed and its key are signed and not sent: a cursor of another subscription does not verify.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { CursorError } from '../shared/errors.js';
import type { CursorKey } from './cursor-key.js';
import type { Position } from './position.js';

const TIME_LENGTH = 16;
const FIELDS_LENGTH = 14;
const SIGNATURE_LENGTH = 16;
const ENTRY_MAX = 0xffff;

/** What a cursor is good for. */
export interface CursorScope {
  readonly feed: string;
  readonly key: string;
}

export interface CursorPlace {
  readonly position: Position;
  /** Of an event that brings several entries: how many of them were seen. */
  readonly entry: number;
}

/** The cursor was ours once, but its key or its set of followed collections is no longer in use: begin anew. */
export const OUTDATED = Symbol('outdated cursor');

export class CursorSigner {
  readonly #keys: readonly CursorKey[];
  readonly #pipeline: Buffer;

  /** @param keys the newest first @param collections those that the change stream follows: others make another stream */
  constructor(keys: readonly CursorKey[], collections: readonly string[]) {
    this.#keys = keys;
    this.#pipeline = createHash('sha256').update(collections.join('\0')).digest().subarray(0, 4);
  }

  write({ feed, key }: CursorScope, { time, index }: Position, entry = ENTRY_MAX): string {
    const [signing] = this.#keys;
    if (!signing) throw new Error('There is a cursor key from the start on');
    const bytes = Buffer.allocUnsafe(FIELDS_LENGTH + SIGNATURE_LENGTH);
    signing.id.copy(bytes, 0);
    this.#pipeline.copy(bytes, 4);
    bytes.writeUInt32BE(index, 8);
    bytes.writeUInt16BE(entry, 12);
    sign(signing, time, bytes.subarray(0, FIELDS_LENGTH), feed, key).copy(bytes, FIELDS_LENGTH);
    return `${time}.${bytes.toString('base64url')}`;
  }

  /** @throws CursorError forged, damaged, or of another subscription */
  read({ feed, key }: CursorScope, cursor: string): CursorPlace | typeof OUTDATED {
    const time = cursor.slice(0, TIME_LENGTH);
    const bytes = Buffer.from(cursor.slice(TIME_LENGTH + 1), 'base64url');
    const wellFormed = /^[0-9a-f]{16}\.[\w-]{40}$/.test(cursor) && bytes.length === FIELDS_LENGTH + SIGNATURE_LENGTH;
    if (!wellFormed) throw new CursorError();
    const signing = this.#keys.find(({ id }) => id.equals(bytes.subarray(0, 4)));
    if (!signing) return OUTDATED;
    const fields = bytes.subarray(0, FIELDS_LENGTH);
    if (!timingSafeEqual(bytes.subarray(FIELDS_LENGTH), sign(signing, time, fields, feed, key)))
      throw new CursorError();
    if (!bytes.subarray(4, 8).equals(this.#pipeline)) return OUTDATED;
    return { position: { time, index: bytes.readUInt32BE(8) }, entry: bytes.readUInt16BE(12) };
  }
}

function sign(signing: CursorKey, time: string, fields: Buffer, feed: string, key: string): Buffer {
  const hmac = createHmac('sha256', signing.secret).update(time).update(fields);
  return hmac.update(`${feed}\0${key}`).digest().subarray(0, SIGNATURE_LENGTH);
}
