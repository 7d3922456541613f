/** How the texts, pictures and videos of nodes are shown. */
import type { NodeDocument } from '../../../models/content/nodes/node.js';
import { htmlOfText, SITE_STYLE, shownPicture } from '../../../models/content/text-html.js';
import { type AssetDocument, findAssets } from '../../../models/system/assets/asset.js';
import { publicPath } from '../../../models/system/assets/asset-address.js';
import type { Services } from '../../../server/context/context.js';
import type { ShownPicture } from '../../../shared/rendering/markdown.js';
import { type Video, videoOf } from '../../../shared/rendering/video.js';
import type { EntryView, PictureView, VideoView } from './pages/views.js';

export type Presented = Pick<EntryView, 'html' | 'excerpt' | 'picture' | 'video'>;

/**
 * In the order of the nodes. One query for all pictures.
 * @param addressIn the address of a node
 * @param withText whether texts are shown: a list shows those of quotations only
 */
export async function present(
  db: Services['db'],
  nodes: readonly NodeDocument[],
  addressIn: (node: NodeDocument) => string,
  withText: boolean,
): Promise<Presented[]> {
  const isTextShown = (node: NodeDocument) => withText || node.type === 'QUOTE';
  const ids = new Set(nodes.flatMap((node) => (isTextShown(node) ? node.asset_ids : (node.detail.asset_id ?? []))));
  const assets = ids.size === 0 ? [] : await findAssets(db, [...ids]);
  const pictures = new Map(assets.flatMap((asset) => (asset ? [[asset._id, shownToAll(asset)] as const] : [])));
  // Its own only: the rendered text is kept by what it shows.
  const picturesOf = ({ asset_ids }: NodeDocument) => new Map(asset_ids.map((id) => [id, pictures.get(id) ?? null]));
  return nodes.map((node) => {
    const { text, description, asset_id } = node.detail;
    const picture = pictures.get(asset_id ?? '');
    const style = { ...SITE_STYLE, page: addressIn(node) };
    return {
      html: isTextShown(node) ? htmlOfText(text ?? description ?? '', picturesOf(node), style) : '',
      excerpt: node.summary,
      picture: picture ? pictureView(picture, node.title) : null,
      video: videoView(node),
    };
  });
}

const shownToAll = (asset: AssetDocument): ShownPicture => shownPicture(asset, (width) => publicPath(asset._id, width));

const pictureView = ({ src, srcset = '', width, height }: ShownPicture, alt: string): PictureView => ({
  src,
  srcset,
  width,
  height,
  alt,
});

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
