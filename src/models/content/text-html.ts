/**
 * Texts as HTML, with their pictures: for the API, the preview and the public site. Rendered at each new combination of a text and the
 * addresses of its pictures, and kept for a while.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { idOfType } from '../../shared/global-id.js';
import { type RenderingOptions, renderMarkdown, type ShownPicture } from '../../shared/rendering/markdown.js';
import type { AssetDocument } from '../system/assets/asset.js';
import { needsScaling } from '../system/assets/asset-scaling.js';
import { type ScaledWidth, scaledWidths } from '../system/assets/pictures/picture-type.js';

/** How a page shows texts. */
export type TextStyle = Pick<RenderingOptions, 'sizes' | 'rel' | 'page'>;

/** On the public site, and so in the preview. */
export const SITE_STYLE = {
  sizes: '(min-width: 64rem) 60rem, 100vw', // the same as in the style sheet
  rel: 'noopener', // these are links of the site's own authors
} satisfies TextStyle;

/** What browsers get that do not choose a width themselves. */
const USUAL_WIDTH = 1280;
const RENDERED_LENGTH_MAX = 16_000_000;

const rendered = new LRUCache<string, string>({
  maxSize: RENDERED_LENGTH_MAX,
  sizeCalculation: (html) => html.length + 1,
});

/**
 * @param pictures by stored id; others are left out @param style default: without knowledge of the page
 * @throws LimitError the text is longer than a text may be
 */
export function htmlOfText(
  text: string,
  pictures: ReadonlyMap<string, ShownPicture | null>,
  style: TextStyle = {},
): string {
  const key = createHash('sha256')
    .update(JSON.stringify([text, style, ...pictures]))
    .digest('base64');
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const html = renderMarkdown(text, {
    ...style,
    pictureOf: (written) => pictures.get(idOfType('Asset', written) ?? '') ?? null,
  });
  rendered.set(key, html);
  return html;
}

/** A picture at all of its widths. @param pathOf its address; null: as stored */
export function shownPicture(asset: AssetDocument, pathOf: (width: ScaledWidth | null) => string): ShownPicture {
  const { width, height } = asset.metadata;
  const widths = scaledWidths.filter((each) => needsScaling(asset, each));
  const candidates = [...widths.map((each) => `${pathOf(each)} ${each}w`), `${pathOf(null)} ${width}w`];
  return {
    src: pathOf(needsScaling(asset, USUAL_WIDTH) ? USUAL_WIDTH : null),
    ...(widths.length > 0 && { srcset: candidates.join(', ') }),
    width,
    height,
  };
}
