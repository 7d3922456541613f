/**
 * Cursors: a position as text that nobody can forge. It begins with the cluster time in the clear, so that a client can compare it
 * with `extensions.writtenAt`; the rest is base64url:
 *
 *   key id (4) | pipeline (4) | index (4) | entry (2) | HMAC-SHA256 over all of it and the time, cut to 16 | mark (3)
 *
 * The mark names the subscription: a cursor of another one is refused, since it is a mistake. It stands outside the signature, which is
 * then made once for all that is told at one position: who changes it gets a place in time that he has anyway, of what he may follow anyway.
 */
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import { CursorError } from '../shared/errors.js';
import type { CursorKey } from './cursor-key.js';
import { comparePositions, type Position } from './position.js';

const TIME_LENGTH = 16;
const FIELDS_LENGTH = 14;
const SIGNATURE_LENGTH = 16;
const MARK_LENGTH = 4; // characters
const ENTRY_MAX = 0xffff;
const CURSOR = /^[0-9a-f]{16}\.[\w-]{44}$/;

/** What a cursor is good for. */
export interface CursorScope {
  readonly feed: string;
  readonly key: string;
  /** A short hash of both. */
  readonly mark: string;
}

export function cursorScope(feed: string, key: string): CursorScope {
  return { feed, key, mark: hash('sha256', `${feed}\0${key}`, 'base64url').slice(0, MARK_LENGTH) };
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
  /** The place that was signed last: the channels of a batch are told one after the other, at the same place. */
  #latest: { readonly position: Position; readonly entry: number; readonly text: string } | null = null;

  /** @param keys the newest first @param collections those that the change stream follows: others make another stream */
  constructor(keys: readonly CursorKey[], collections: readonly string[]) {
    this.#keys = keys;
    this.#pipeline = createHash('sha256').update(collections.join('\0')).digest().subarray(0, 4);
  }

  write({ mark }: CursorScope, position: Position, entry = ENTRY_MAX): string {
    if (this.#latest?.entry !== entry || comparePositions(this.#latest.position, position) !== 0)
      this.#latest = { position, entry, text: this.#signed(position, entry) };
    return this.#latest.text + mark;
  }

  /** @throws CursorError forged, damaged, or of another subscription */
  read({ mark }: CursorScope, cursor: string): CursorPlace | typeof OUTDATED {
    const time = cursor.slice(0, TIME_LENGTH);
    const bytes = Buffer.from(cursor.slice(TIME_LENGTH + 1, -MARK_LENGTH), 'base64url');
    const wellFormed = CURSOR.test(cursor) && bytes.length === FIELDS_LENGTH + SIGNATURE_LENGTH;
    if (!wellFormed || !cursor.endsWith(mark)) throw new CursorError();
    const signing = this.#keys.find(({ id }) => id.equals(bytes.subarray(0, 4)));
    if (!signing) return OUTDATED;
    const fields = bytes.subarray(0, FIELDS_LENGTH);
    if (!timingSafeEqual(bytes.subarray(FIELDS_LENGTH), sign(signing, time, fields))) throw new CursorError();
    if (!bytes.subarray(4, 8).equals(this.#pipeline)) return OUTDATED;
    return { position: { time, index: bytes.readUInt32BE(8) }, entry: bytes.readUInt16BE(12) };
  }

  #signed({ time, index }: Position, entry: number): string {
    const [signing] = this.#keys;
    if (!signing) throw new Error('There is a cursor key from the start on');
    const bytes = Buffer.allocUnsafe(FIELDS_LENGTH + SIGNATURE_LENGTH);
    signing.id.copy(bytes, 0);
    this.#pipeline.copy(bytes, 4);
    bytes.writeUInt32BE(index, 8);
    bytes.writeUInt16BE(entry, 12);
    sign(signing, time, bytes.subarray(0, FIELDS_LENGTH)).copy(bytes, FIELDS_LENGTH);
    return `${time}.${bytes.toString('base64url')}`;
  }
}

function sign(signing: CursorKey, time: string, fields: Buffer): Buffer {
  return createHmac('sha256', signing.secret).update(time).update(fields).digest().subarray(0, SIGNATURE_LENGTH);
}
