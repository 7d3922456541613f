/** The assets of this process: what storing, scaling and serving pictures share. */
import DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import type { Clock } from '../../../database/index.js';
import { InputError } from '../../../shared/errors.js';
import { ASSETS_ASKED_MAX, type UsesOfDomains } from '../../domain.js';
import type { AssetDocument, ScaledPicture } from './asset.js';
import { AssetSigner, publicPath } from './asset-address.js';
import { findScaled, makeScaled, needsScaling } from './asset-scaling.js';
import { type NewPicture, type PictureBounds, storePicture } from './asset-storing.js';
import type { NotAPicture } from './pictures/picture.js';
import { PictureTurns } from './pictures/picture-turns.js';
import { isScaledWidth, type ScaledWidth, scaledWidths } from './pictures/picture-type.js';
import { deleteAbandonedSpools } from './pictures/spooled-picture.js';

export class Assets {
  readonly turns = new PictureTurns();
  /** Whether everybody may see an asset. All that is asked at the same time is one question to each domain; nothing is remembered. */
  readonly #publicity: DataLoader<string, boolean>;
  /** Pictures that are being scaled, so that requests at the same time wait for the same one. */
  readonly #scaling = new Map<string, Promise<ScaledPicture | null>>();

  private constructor(
    private readonly db: Db,
    private readonly now: Clock,
    readonly bounds: PictureBounds,
    readonly uses: UsesOfDomains,
    readonly signer: AssetSigner,
  ) {
    this.#publicity = new DataLoader((ids) => this.#findPublic(ids), { cache: false, maxBatchSize: ASSETS_ASKED_MAX });
  }

  static async open(db: Db, now: Clock, bounds: PictureBounds, uses: UsesOfDomains): Promise<Assets> {
    await deleteAbandonedSpools();
    return new Assets(db, now, bounds, uses, await AssetSigner.open(db));
  }

  /** @throws LimitError @throws BusyError @throws the stream's error; nothing is kept */
  store(db: Db, picture: NewPicture): Promise<AssetDocument | NotAPicture> {
    return storePicture(db, picture, this.bounds, this.turns, this.now());
  }

  /** Whether everybody may see it. */
  isPublic(id: string): Promise<boolean> {
    return this.#publicity.load(id);
  }

  /** A path of this server, signed unless everybody may see the picture. @param width a wish; null: as stored @throws InputError */
  async pathOf(asset: AssetDocument, width: number | null): Promise<string> {
    const wanted = width === null ? null : requireWidth(width);
    return (await this.pathsOf(asset))(wanted);
  }

  /** The same for each width, of one time. */
  async pathsOf(asset: AssetDocument): Promise<(width: ScaledWidth | null) => string> {
    const isPublic = await this.isPublic(asset._id);
    const now = this.now();
    return (width) => {
      const scaled = width !== null && needsScaling(asset, width) ? width : null;
      return isPublic ? publicPath(asset._id, scaled) : this.signer.signedPath(asset._id, scaled, now);
    };
  }

  /** The scaled picture, made if necessary. Null when its asset no longer exists. @throws BusyError */
  async scaled(asset: AssetDocument, width: ScaledWidth): Promise<ScaledPicture | null> {
    const present = findScaled(asset, width);
    if (present) return present;
    const key = `${asset._id}/${width}`;
    const running = this.#scaling.get(key);
    if (running) return running;
    const making = makeScaled(this.db, asset, width, this.bounds, this.turns, this.now());
    this.#scaling.set(key, making);
    try {
      return await making;
    } finally {
      this.#scaling.delete(key);
    }
  }

  async #findPublic(ids: readonly string[]): Promise<boolean[]> {
    const distinct = [...new Set(ids)];
    const now = this.now();
    const found = await Promise.all(this.uses.running.map(({ findPublic }) => findPublic(this.db, distinct, now)));
    const visible = new Set(found.flat());
    return ids.map((id) => visible.has(id));
  }
}

function requireWidth(width: number): ScaledWidth {
  if (isScaledWidth(width)) return width;
  throw new InputError('width', `must be one of ${scaledWidths.join(', ')}`);
}
