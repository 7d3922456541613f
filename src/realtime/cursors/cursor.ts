/**
 * Cursors: a position as unforgeable text. It starts with the cluster time in the clear, so that a client can compare it with
 * `extensions.writtenAt`; the rest is base64url:
 *
 *   form (1) | key id (4) | pipeline (4) | index (4) | entry (2) || print (0 or 6) || tag (22 characters)
 *
 * The tag covers all of it, the time, and the subscription that issued it: its feed and arguments, which are not in the text. It is
 * the SHA-256 of these and of the position's secret. The secret is an HMAC, the expensive part, and computed once for all events at one
 * position. Every hashed part except the last, the subscription, has a fixed length, so that no two cursors hash the same text.
 */
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import { CursorError } from '../../shared/errors.js';
import type { CursorKey } from './cursor-key.js';
import { comparePositions, type Position } from './position.js';

const TIME_LENGTH = 16;
const FIELDS_BYTES = 15;
/** In characters, of base64url: multiples of four, so that no character holds unused bits. */
const FIELDS_LENGTH = 20;
const PRINT_LENGTH = 8;
const TAG_LENGTH = 22;
const ENTRY_MAX = 0xffff;
const FORM = 2;
const CURSOR = /^[0-9a-f]{16}\.(?:[\w-]{42}|[\w-]{50})$/;
/** As earlier versions wrote it. */
const FORMER_CURSOR = /^[0-9a-f]{16}\.[\w-]{44}$/;
/** Incremented when the meaning of positions changes, for example with the stages of the change stream's pipeline. */
const PIPELINE_VERSION = 3;

/** What a cursor is valid for: a feed with its arguments. */
export interface CursorScope {
  readonly feed: string;
  readonly key: string;
}

export const cursorScope = (feed: string, key: string): CursorScope => ({ feed, key });

/** What a cursor carries besides its position. */
export interface CursorDetail {
  /** For an event with several entries: how many of them were seen. */
  readonly entry?: number;
  /** For a state with a single part: a short text that is equal for equal states. */
  readonly print?: string | undefined;
}

export interface CursorPlace {
  readonly position: Position;
  readonly entry: number;
  readonly print?: string;
}

/** A genuine cursor whose key, format or set of followed collections is no longer in use: start over. */
export const OUTDATED = Symbol('outdated cursor');

/** A state's fingerprint, shortened to fit into a cursor. */
export const printOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, PRINT_LENGTH);

/** A position as text, and the secret for the tags of its cursors. */
interface SignedPlace {
  readonly position: Position;
  readonly entry: number;
  readonly text: string;
  readonly secret: string;
}

export class CursorSigner {
  readonly #keys: readonly CursorKey[];
  readonly #pipeline: Buffer;
  /** The position signed last: the channels of a batch are notified one after the other, at the same position. */
  #latest: SignedPlace | null = null;

  /** @param keys newest first @param collections of the change stream: cursors are valid for one set only */
  constructor(keys: readonly CursorKey[], collections: readonly string[]) {
    this.#keys = keys;
    const pipeline = [PIPELINE_VERSION, ...collections].join('\0');
    this.#pipeline = createHash('sha256').update(pipeline).digest().subarray(0, 4);
  }

  write(scope: CursorScope, position: Position, { entry = ENTRY_MAX, print = '' }: CursorDetail = {}): string {
    const { text, secret } = this.#sign(position, entry);
    return text + print + tagOf(secret, scope, print);
  }

  /** @throws CursorError forged, damaged, or of another subscription */
  read(scope: CursorScope, cursor: string): CursorPlace | typeof OUTDATED {
    if (FORMER_CURSOR.test(cursor)) return OUTDATED;
    if (!CURSOR.test(cursor)) throw new CursorError();
    const time = cursor.slice(0, TIME_LENGTH);
    const rest = cursor.slice(TIME_LENGTH + 1);
    const fields = Buffer.from(rest.slice(0, FIELDS_LENGTH), 'base64url');
    const print = rest.slice(FIELDS_LENGTH, -TAG_LENGTH);
    const signing = this.#keys.find(({ id }) => id.equals(fields.subarray(1, 5)));
    if (!signing) return OUTDATED;
    const tag = tagOf(secretOf(signing, time, fields), scope, print);
    if (!timingSafeEqual(Buffer.from(rest.slice(-TAG_LENGTH)), Buffer.from(tag))) throw new CursorError();
    if (fields[0] !== FORM || !fields.subarray(5, 9).equals(this.#pipeline)) return OUTDATED;
    const position = { time, index: fields.readUInt32BE(9) };
    return { position, entry: fields.readUInt16BE(13), ...(print && { print }) };
  }

  /** A print of a text, for cursors. Without the keys, nobody can find out whether it is that of a text. */
  seal(text: string): string {
    const [signing] = this.#keys;
    if (!signing) throw new Error('A cursor key exists from the start');
    return createHmac('sha256', signing.secret)
      .update('sealed\0')
      .update(text)
      .digest('base64url')
      .slice(0, PRINT_LENGTH);
  }

  #sign(position: Position, entry: number): SignedPlace {
    if (this.#latest?.entry === entry && comparePositions(this.#latest.position, position) === 0) return this.#latest;
    const [signing] = this.#keys;
    if (!signing) throw new Error('A cursor key exists from the start');
    const fields = Buffer.allocUnsafe(FIELDS_BYTES);
    fields[0] = FORM;
    signing.id.copy(fields, 1);
    this.#pipeline.copy(fields, 5);
    fields.writeUInt32BE(position.index, 9);
    fields.writeUInt16BE(entry, 13);
    const text = `${position.time}.${fields.toString('base64url')}`;
    this.#latest = { position, entry, text, secret: secretOf(signing, position.time, fields) };
    return this.#latest;
  }
}

function secretOf(signing: CursorKey, time: string, fields: Buffer): string {
  return createHmac('sha256', signing.secret).update(time).update(fields).digest('base64');
}

/** @param secret of the position: it never leaves the server, so nobody else can compute a tag */
function tagOf(secret: string, { feed, key }: CursorScope, print: string): string {
  return hash('sha256', `${secret}${print.padEnd(PRINT_LENGTH)}${feed}\0${key}`, 'base64url').slice(0, TAG_LENGTH);
}
