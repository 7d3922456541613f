/** Texts of nodes as HTML, with their pictures. */
import type { NodeDocument } from '../../models/content/nodes/node.js';
import { htmlOfText, shownPicture } from '../../models/content/text-html.js';
import type { Context } from '../../server/context/context.js';
import type { ShownPicture } from '../../shared/rendering/markdown.js';

export async function htmlOf({ detail, asset_ids }: NodeDocument, context: Context): Promise<string> {
  const pictures = await Promise.all(asset_ids.map((id) => findShown(id, context)));
  return htmlOfText(detail.text ?? '', new Map(pictures));
}

async function findShown(id: string, { loaders, assets }: Context): Promise<readonly [string, ShownPicture | null]> {
  const asset = await loaders().asset.load(id);
  return [id, asset && shownPicture(asset, await assets.pathsOf(asset))];
}
