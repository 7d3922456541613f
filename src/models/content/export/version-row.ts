/** The row of a version, as `import-row.ts` reads it: the first version has what belongs to the node. Absent fields are left out. */
import { toGlobalId } from '../../../shared/global-id.js';
import type { NodeDocument } from '../nodes/node.js';
import type { VersionDocument } from '../nodes/node-version.js';

export function versionRow(
  node: NodeDocument,
  version: VersionDocument,
  path: string,
  previousPath: string | undefined,
): object {
  const { detail, author } = version;
  const isFirst = version.version === 1;
  return {
    path,
    ...(isFirst ? { type: node.type } : { version: version.version, previousPath }),
    title: version.title,
    ...(version.excerpt !== '' && { excerpt: version.excerpt }),
    text: detail.text,
    description: detail.description,
    videoUrl: detail.video_url,
    source: detail.source,
    ...(detail.asset_id && { imageId: toGlobalId('Asset', detail.asset_id) }),
    ...(isFirst && node.tags.length > 0 && { tags: node.tags }),
    ...(version.published && { publishedAt: version.published }),
    at: version.at,
    author: author.name,
    ...(author._id !== undefined && { authorId: toGlobalId('User', author._id) }),
    ...(isFirst && {
      commentPolicy: node.comment_policy,
      commentDesign: node.comment_design,
      photoOrder: node.photo_order,
      rank: node.rank,
    }),
  };
}
