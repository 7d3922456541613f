/** A text as readers of the public site would see it, for its writer: nothing is stored. */
import type { Db } from 'mongodb';
import { idOfType } from '../../shared/global-id.js';
import { picturesIn } from '../../shared/rendering/markdown.js';
import { findAssets } from '../system/assets/asset.js';
import type { Assets } from '../system/assets/assets.js';
import { isPictureSeen } from './nodes/picture-rights.js';
import type { Sight } from './nodes/rights.js';
import { htmlOfText, SITE_STYLE, shownPicture } from './text-html.js';

/** @param sight pictures that are hidden from it are left out @throws LimitError the text is longer than a text may be */
export async function previewMarkdown(
  db: Db,
  assets: Pick<Assets, 'pathsOf' | 'isPublic'>,
  text: string,
  sight: Sight,
): Promise<string> {
  const ids = picturesIn(text).flatMap((name) => idOfType('Asset', name) ?? []);
  const stored = (await findAssets(db, ids)).filter((asset) => asset !== null);
  const isPublic = (id: string) => assets.isPublic(id);
  const shown = stored.map(async (asset) => {
    const isSeen = await isPictureSeen(db, asset, sight, isPublic);
    return [asset._id, isSeen ? shownPicture(asset, await assets.pathsOf(asset)) : null] as const;
  });
  return htmlOfText(text, new Map(await Promise.all(shown)), SITE_STYLE);
}
