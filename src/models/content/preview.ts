/** A text as readers of the public site would see it, for an editor: nothing is stored. */
import type { Db } from 'mongodb';
import { idOfType } from '../../shared/global-id.js';
import { picturesIn } from '../../shared/rendering/markdown.js';
import { findAssets } from '../system/assets/asset.js';
import type { Assets } from '../system/assets/assets.js';
import { htmlOfText, SITE_STYLE, shownPicture } from './text-html.js';

/** @throws LimitError the text is longer than a text may be */
export async function previewMarkdown(db: Db, assets: Pick<Assets, 'pathsOf'>, text: string): Promise<string> {
  const ids = picturesIn(text).flatMap((name) => idOfType('Asset', name) ?? []);
  const stored = (await findAssets(db, ids)).filter((asset) => asset !== null);
  const shown = stored.map(async (asset) => [asset._id, shownPicture(asset, await assets.pathsOf(asset))] as const);
  return htmlOfText(text, new Map(await Promise.all(shown)), SITE_STYLE);
}
