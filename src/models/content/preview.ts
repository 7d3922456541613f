/** A text as readers would see it, for an editor: nothing is stored. */
import type { Db } from 'mongodb';
import { idOfType } from '../../shared/global-id.js';
import { picturesIn, renderMarkdown, type ShownPicture } from '../../shared/rendering/markdown.js';
import { findAssets } from '../system/assets/asset.js';
import type { Assets } from '../system/assets/assets.js';

/** As wide as a preview is shown at most; the next larger size of pictures. */
const WIDTH = 1280;

/** @throws LimitError the text is longer than a text may be */
export async function previewMarkdown(db: Db, assets: Pick<Assets, 'pathOf'>, text: string): Promise<string> {
  const names = picturesIn(text);
  const stored = await findAssets(
    db,
    names.map((name) => idOfType('Asset', name)).filter((id) => id !== null),
  );
  const shown = await Promise.all(
    stored
      .filter((asset) => asset !== null)
      .map(async (asset): Promise<[string, ShownPicture]> => {
        const { width, height } = asset.metadata;
        return [asset._id, { src: await assets.pathOf(asset, WIDTH), width, height }];
      }),
  );
  const pictures = new Map(shown);
  return renderMarkdown(text, { pictureOf: (name) => pictures.get(idOfType('Asset', name) ?? '') ?? null });
}
