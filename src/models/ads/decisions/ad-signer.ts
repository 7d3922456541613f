/**
 * What the network signs: receipts of decisions, and ids of visitors. The key is stored in the database, so that every process accepts
 * what another one has signed.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from 'mongodb';
import { settingsOf } from '../../../database/index.js';

interface AdKeySetting {
  _id: 'ad-key';
  value: string;
}

const settings = settingsOf<AdKeySetting>();
const KEY_BYTES = 32;
/** 128 bits: nobody can try so many. */
const SIGNATURE_BYTES = 16;
const SIGNATURE_LENGTH = 22;

export type SignedKind = 'receipt' | 'visitor';

export class AdSigner {
  private constructor(private readonly key: Buffer) {}

  /** Creates the key if there is none. */
  static async open(db: Db): Promise<AdSigner> {
    const stored = await settings(db).findOneAndUpdate(
      { _id: 'ad-key' },
      // Guard: only the process whose upsert inserts sets the key; all others read it.
      { $setOnInsert: { value: randomBytes(KEY_BYTES).toString('base64url') } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!stored) throw new Error('The key of the ads was not stored');
    return new AdSigner(Buffer.from(stored.value, 'base64url'));
  }

  /** @param text without a dot @returns the text with its signature, safe in addresses */
  sign(kind: SignedKind, text: string): string {
    return `${text}.${this.#signatureOf(kind, text)}`;
  }

  /** @returns the text, or null if it was not signed here, or as something else */
  open(kind: SignedKind, signed: string): string | null {
    const at = signed.length - SIGNATURE_LENGTH - 1;
    const text = signed.slice(0, Math.max(0, at));
    if (text === '' || signed[at] !== '.') return null;
    const [expected, given] = [Buffer.from(this.#signatureOf(kind, text)), Buffer.from(signed.slice(at + 1))];
    return expected.length === given.length && timingSafeEqual(expected, given) ? text : null;
  }

  #signatureOf(kind: SignedKind, text: string): string {
    const hmac = createHmac('sha256', this.key).update(`${kind} ${text}`).digest();
    return hmac.subarray(0, SIGNATURE_BYTES).toString('base64url');
  }
}
