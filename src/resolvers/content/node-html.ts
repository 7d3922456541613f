/** Texts of nodes as HTML, with their pictures. Rendered at each new combination of text and addresses, and kept for a while. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { NodeDocument } from '../../models/content/nodes/node.js';
import { needsScaling } from '../../models/system/assets/asset-scaling.js';
import { scaledWidths } from '../../models/system/assets/pictures/picture-type.js';
import type { Context } from '../../server/context/context.js';
import { idOfType } from '../../shared/global-id.js';
import { renderMarkdown, type ShownPicture } from '../../shared/rendering/markdown.js';

const RENDERED_LENGTH_MAX = 16_000_000;
/** What browsers get that do not choose a width themselves. */
const USUAL_WIDTH = 1280;

const rendered = new LRUCache<string, string>({
  maxSize: RENDERED_LENGTH_MAX,
  sizeCalculation: (html) => html.length + 1,
});

export async function htmlOf({ detail, asset_ids }: NodeDocument, context: Context): Promise<string> {
  const text = detail.text ?? '';
  const pictures = new Map(await Promise.all(asset_ids.map((id) => shownPicture(id, context))));
  const key = createHash('sha256')
    .update(JSON.stringify([text, ...pictures]))
    .digest('base64');
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const html = renderMarkdown(text, { pictureOf: (id) => pictures.get(idOfType('Asset', id) ?? '') ?? null });
  rendered.set(key, html);
  return html;
}

async function shownPicture(
  id: string,
  { loaders, assets }: Context,
): Promise<readonly [id: string, shown: ShownPicture | null]> {
  const asset = await loaders().asset.load(id);
  if (!asset) return [id, null];
  const { width, height } = asset.metadata;
  const widths = scaledWidths.filter((each) => needsScaling(asset, each));
  const candidates = [
    ...widths.map(async (each) => `${await assets.pathOf(asset, each)} ${each}w`),
    assets.pathOf(asset, null).then((path) => `${path} ${width}w`),
  ];
  const srcset = widths.length === 0 ? {} : { srcset: (await Promise.all(candidates)).join(', ') };
  return [id, { src: await assets.pathOf(asset, USUAL_WIDTH), ...srcset, width, height }];
}
