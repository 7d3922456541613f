/**
 * Addresses of pictures: `/assets/<id>` and `/assets/<id>/<width>`. What not everybody may see has a signed address, which expires
 * after about an hour. The key is stored in the database, so that every process accepts it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from 'mongodb';
import { storedKey } from '../../../database/index.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/time.js';
import type { ScaledWidth } from './pictures/picture-type.js';

const SIGNED_MS = HOUR_MS;
/** Signatures end at multiples of this, so that an address stays the same for a while and can be cached. */
const ROUNDED_MS = 15 * MINUTE_MS;

export const ASSETS_PATH = '/assets';

export class AssetSigner {
  private constructor(private readonly key: Buffer) {}

  /** Creates the key if there is none. */
  static async open(db: Db): Promise<AssetSigner> {
    return new AssetSigner(await storedKey(db, 'asset-key'));
  }

  /** A path of this server. It is valid for 60 to 75 minutes. @param width null: as stored */
  signedPath(id: string, width: ScaledWidth | null, now: Date): string {
    const until = Math.ceil((now.getTime() + SIGNED_MS) / ROUNDED_MS) * (ROUNDED_MS / SECOND_MS);
    return `${publicPath(id, width)}?until=${until}&signature=${this.#sign(id, until)}`;
  }

  /** @returns for how many seconds the signature is still valid; 0 if it is not */
  secondsLeft(id: string, { until, signature }: { until?: unknown; signature?: unknown }, now: Date): number {
    if (typeof until !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(until)) return 0;
    const expected = Buffer.from(this.#sign(id, Number(until)));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 0;
    return Math.max(0, Math.floor(Number(until) - now.getTime() / SECOND_MS));
  }

  /** For all sizes of the picture. */
  #sign(id: string, until: number): string {
    return createHmac('sha256', this.key).update(`${id} ${until}`).digest('base64url');
  }
}

/** The address of a picture that everybody may see. @param width null: as stored */
export const publicPath = (id: string, width: ScaledWidth | null): string =>
  width === null ? `${ASSETS_PATH}/${id}` : `${ASSETS_PATH}/${id}/${width}`;
