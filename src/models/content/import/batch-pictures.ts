/** The pictures that the rows of a batch show: which of them are stored, read at once. */
import type { ClientSession, Db } from 'mongodb';
import { idOfType } from '../../../shared/global-id.js';
import { findStored } from '../../system/assets/asset-claim.js';
import type { PreparedRow } from './import-node.js';

/** In a text, as it is written by far most often. What is written otherwise is found when its row is added. */
const SHOWN = /asset:([\w-]+)/g;

export class BatchPictures {
  readonly #asked = new Set<string>();
  readonly #stored = new Set<string>();

  static async read(db: Db, session: ClientSession, rows: readonly PreparedRow[]): Promise<BatchPictures> {
    const pictures = new BatchPictures();
    await pictures.#ask(db, session, rows.flatMap(shownIn));
    return pictures;
  }

  /** Those that are not stored. */
  async findMissing(db: Db, session: ClientSession, ids: readonly string[]): Promise<string[]> {
    await this.#ask(db, session, ids);
    return ids.filter((id) => !this.#stored.has(id));
  }

  async #ask(db: Db, session: ClientSession, ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#asked.has(id));
    if (unknown.length === 0) return;
    for (const id of await findStored(db, session, unknown)) this.#stored.add(id);
    for (const id of unknown) this.#asked.add(id);
  }
}

/** What a later version shows is known for certain once its node is. */
function shownIn({ node, row: { text = '', imageId } }: PreparedRow): readonly string[] {
  if (node) return node.asset_ids;
  const inText = [...text.matchAll(SHOWN)].map(([, id = '']) => id);
  return [...inText, ...(imageId === undefined ? [] : [imageId])].flatMap((id) => idOfType('Asset', id) ?? []);
}
