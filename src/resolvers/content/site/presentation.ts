/** How the texts, pictures and videos of nodes are shown. */
import type { NodeDocument } from '../../../models/content/nodes/node.js';
import { type AssetDocument, findAssets } from '../../../models/system/assets/asset.js';
import { publicPath } from '../../../models/system/assets/asset-address.js';
import { needsScaling } from '../../../models/system/assets/asset-scaling.js';
import { scaledWidths } from '../../../models/system/assets/pictures/picture-type.js';
import type { Services } from '../../../server/context/context.js';
import { idOfType } from '../../../shared/global-id.js';
import { renderMarkdown } from '../../../shared/rendering/markdown.js';
import { type Video, videoOf } from '../../../shared/rendering/video.js';
import { PICTURE_SIZES } from './pages/entry.js';
import type { EntryView, PictureView, VideoView } from './pages/views.js';

export type Presented = Pick<EntryView, 'html' | 'excerpt' | 'picture' | 'video'>;

/** What browsers load that do not choose among the widths, and link previews. */
const USUAL_WIDTH = 1280;
const REL = 'noopener'; // these are links of the site's own authors

/**
 * In the order of the nodes. One query for all pictures.
 * @param withText whether texts are shown: a list shows those of quotations only
 */
export async function present(
  db: Services['db'],
  nodes: readonly NodeDocument[],
  withText: boolean,
): Promise<Presented[]> {
  const isTextShown = (node: NodeDocument) => withText || node.type === 'QUOTE';
  const ids = new Set(nodes.flatMap((node) => (isTextShown(node) ? node.asset_ids : (node.detail.asset_id ?? []))));
  const assets = ids.size === 0 ? [] : await findAssets(db, [...ids]);
  const pictures = new Map(assets.flatMap((asset) => (asset ? [[asset._id, pictureView(asset)] as const] : [])));
  const pictureOf = (written: string) => pictures.get(idOfType('Asset', written) ?? '') ?? null;
  return nodes.map((node) => {
    const { text, description, asset_id } = node.detail;
    const picture = pictures.get(asset_id ?? '');
    return {
      html: isTextShown(node)
        ? renderMarkdown(text ?? description ?? '', { pictureOf, sizes: PICTURE_SIZES, rel: REL })
        : '',
      excerpt: node.summary,
      picture: picture ? { ...picture, alt: node.title } : null,
      video: videoView(node),
    };
  });
}

function pictureView(asset: AssetDocument): PictureView {
  const { width, height } = asset.metadata;
  const widths = scaledWidths.filter((each) => needsScaling(asset, each));
  const sizes = [...widths.map((each) => [each, each] as const), [null, width] as const];
  return {
    src: publicPath(asset._id, needsScaling(asset, USUAL_WIDTH) ? USUAL_WIDTH : null),
    srcset:
      widths.length === 0 ? '' : sizes.map(([each, wide]) => `${publicPath(asset._id, each)} ${wide}w`).join(', '),
    width,
    height,
    alt: '',
  };
}

const HOST_NAMES: Readonly<Record<Video['host'], string | null>> = {
  YOUTUBE: 'YouTube',
  VIMEO: 'Vimeo',
  PEERTUBE: null,
};

/** A video of a site that is not known is a link. */
export function videoView({ detail }: NodeDocument): VideoView | null {
  if (detail.video_url === undefined) return null;
  const video = videoOf(detail.video_url);
  const pageUrl = video?.url ?? detail.video_url;
  const host = (video && HOST_NAMES[video.host]) ?? new URL(pageUrl).hostname;
  return { pageUrl, embedUrl: video?.embedUrl ?? null, host };
}
