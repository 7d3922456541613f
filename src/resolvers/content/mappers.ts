/** What the resolvers of each type get as their parent. `npm run generate` maps the type `Page` to `PageMapper`. */

import type { NodeDocument } from '../../models/content/nodes/node.js';
import type { FieldDifference } from '../../models/content/nodes/node-difference.js';
import type { DeletedNode, NodeInTrash } from '../../models/content/nodes/node-trash.js';
import type { VersionWithPrevious } from '../../models/content/nodes/node-version.js';
import type { TagDocument } from '../../models/content/nodes/tag.js';
import type { WorkDocument } from '../../models/work.js';

export type ContentNodeMapper = NodeDocument;
export type PageMapper = NodeDocument;
export type BlogPostMapper = NodeDocument;
export type PhotoMapper = NodeDocument;
export type VideoMapper = NodeDocument;
export type ImagePostMapper = NodeDocument;
export type QuoteMapper = NodeDocument;
export type FolderMapper = NodeDocument;
export type BlogMapper = NodeDocument;
export type GalleryMapper = NodeDocument;
export type NodeVersionMapper = VersionWithPrevious;
export type FieldDifferenceMapper = FieldDifference;
export type DeletedNodeMapper = DeletedNode;
export type NodeTrashMapper = NodeInTrash;
export type TagCountMapper = TagDocument;
export type NodeMigrationMapper = WorkDocument;
