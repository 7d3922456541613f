/** Lists of nodes: for editors by filter, for everybody by tags. */
import type { Db, Filter, IndexSpecification } from 'mongodb';
import { findNewestFirst } from '../../../database/index.js';
import { InputError, SextantError } from '../../../shared/errors.js';
import {
  type Connection,
  decodePosition,
  encodePosition,
  mapConnection,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import { isGroup } from './group.js';
import { asNode, type NodeDocument, type NodeState, type NodeType, nodes, type StoredNode } from './node.js';
import type { Sight } from './rights.js';
import { requireSearchedTags } from './tag.js';

export const FIRST_MAX = 100;

export interface NodeFilter {
  /** As stored. */
  readonly parentId?: string | null | undefined;
  readonly authorId?: string | null | undefined;
  readonly type?: NodeType | null | undefined;
  readonly state?: NodeState | null | undefined;
}

const NOT_IN_TRASH: readonly NodeState[] = ['DRAFT', 'SCHEDULED', 'PUBLISHED'];

/**
 * What a caller may list: editors everything, authors their own nodes, or the groups that these go into.
 * @throws SextantError FORBIDDEN
 */
export function filterFor(sight: Sight, filter: NodeFilter): NodeFilter {
  if (sight === 'ALL') return filter;
  const { parentId, authorId, type, state } = filter;
  const own = sight === 'PUBLIC' ? null : sight.authorId;
  if (own === null || parentId || (authorId && authorId !== own)) throw ownOrGroups();
  if (!type) return { authorId: own, state };
  if (authorId || !isGroup(type) || state === 'DELETED') throw ownOrGroups();
  return filter;
}

const ownOrGroups = () =>
  new SextantError(
    'FORBIDDEN',
    'Authors list their own nodes, and the types FOLDER, BLOG and GALLERY except the trash',
  );

/** Most recently edited first. @throws InputError @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findNodes(db: Db, filter: NodeFilter, page: PageInput): Promise<Connection<NodeDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const { state, ...others } = filter;
  const set = Object.entries(others).filter(([, value]) => value !== undefined && value !== null);
  if (set.length > 1)
    throw new InputError('filter', 'may have one field besides state, because each has its own index');
  const list = `nodes/${JSON.stringify([set, state ?? null])}`;
  const [last] = page.after ? decodePosition(list, page.after, ['string']) : [];
  const found = await nodes(db)
    .find(
      {
        ...storedFilter(others),
        state: state ?? { $in: [...NOT_IN_TRASH] },
        ...(last !== undefined && { edited_order: { $lt: String(last) } }),
      },
      { hint: hintFor(others) },
    )
    .sort({ edited_order: -1 })
    .limit(page.first + 1)
    .map(asNode)
    .toArray();
  return toConnection(found, page.first, ({ edited_order }) => encodePosition(list, [edited_order]));
}

function storedFilter({ parentId, authorId, type }: NodeFilter): Filter<StoredNode> {
  if (parentId) return { parent_id: parentId };
  if (authorId) return { 'author._id': authorId };
  return type ? { type } : {};
}

/** Merges the states on one index. Without the hint, MongoDB may choose one that is sorted by another date, and sort in memory. */
function hintFor({ parentId, authorId, type }: NodeFilter): IndexSpecification {
  const order = { state: 1, edited_order: -1 } as const;
  if (parentId) return { parent_id: 1, ...order };
  if (authorId) return { 'author._id': 1, ...order };
  return type ? { type: 1, ...order } : order;
}

/**
 * Published nodes that have all of these tags, newest first.
 * @throws InputError @throws LimitError `first` exceeds 100, or there are over 5 tags @throws CursorError
 */
export async function findTagged(
  db: Db,
  searched: readonly string[],
  page: PageInput,
  now: Date,
): Promise<Connection<NodeDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const tags = requireSearchedTags('tags', searched);
  const [tag = ''] = tags;
  const found = await findNewestFirst<StoredNode>(
    {
      list: `tagged/${JSON.stringify(tags)}`,
      moment: 'published',
      filter: { ...(tags.length === 1 ? { tags: tag } : { tags: { $all: tags } }), published: { $lte: now } },
      read: (where, limit) => nodes(db).find(where).sort({ published: -1, _id: -1 }).limit(limit).toArray(),
    },
    page,
  );
  return mapConnection(found, asNode);
}
