/**
 * What the network signs, ids of visitors, and what it seals, receipts of decisions: nobody else can read these. The key is stored in the
 * database, so that every process accepts what another one has signed or sealed.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Db } from 'mongodb';
import { storedKey } from '../../../database/index.js';

/** 128 bits: nobody can try so many. */
const SIGNATURE_BYTES = 16;
const SIGNATURE_LENGTH = 22;

/** A receipt was signed by versions before it was sealed. */
export type SignedKind = 'receipt' | 'visitor';
/** `click` and `conversion` are receipts that count as that only. */
export type SealedKind = 'receipt' | 'click' | 'conversion';

const CIPHER = 'aes-256-gcm';
/** Each text has a cipher key of its own, so that any number can be sealed: two equal salts are as unlikely as a guessed signature. */
const SALT_BYTES = 16;
const NONCE_AT = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class AdSigner {
  /** An object, because bytes would be made into one for each text. */
  private constructor(private readonly key: KeyObject) {}

  /** Creates the key if there is none. */
  static async open(db: Db): Promise<AdSigner> {
    return new AdSigner(createSecretKey(await storedKey(db, 'ad-key')));
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

  /** @returns the text, encrypted and authenticated, safe in addresses. It has no dots */
  seal(kind: SealedKind, text: string): string {
    const salt = randomBytes(SALT_BYTES);
    const cipher = createCipheriv(CIPHER, ...this.#cipherKeyOf(kind, salt), { authTagLength: TAG_BYTES });
    const sealed = [salt, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  /** @returns the text, or null if it was not sealed here, or as something else */
  unseal(kind: SealedKind, sealed: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url');
    // Only as it was sealed: what decodes to the same may have anything behind it, such as HTML, and is handed on.
    if (bytes.length <= SALT_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null;
    const [salt, tag] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(-TAG_BYTES)];
    const decipher = createDecipheriv(CIPHER, ...this.#cipherKeyOf(kind, salt), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(tag);
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES), undefined, 'utf8');
    try {
      return text + decipher.final('utf8');
    } catch {
      return null; // the tag is not that of this text
    }
  }

  #cipherKeyOf(kind: SealedKind, salt: Buffer): [key: Buffer, nonce: Buffer] {
    const derived = createHmac('sha512', this.key).update(`seal ${kind} `).update(salt).digest();
    return [derived.subarray(0, NONCE_AT), derived.subarray(NONCE_AT, NONCE_AT + NONCE_BYTES)];
  }

  #signatureOf(kind: SignedKind, text: string): string {
    const hmac = createHmac('sha256', this.key).update(`${kind} ${text}`).digest();
    return hmac.subarray(0, SIGNATURE_BYTES).toString('base64url');
  }
}
