/** The ranks of the photos of a batch, in galleries whose photos have ranks: read at once, and changed as photos are added. */
import type { ClientSession, Db, Filter } from 'mongodb';
import { type NodeDocument, nodes, type StoredNode } from '../nodes/node.js';
import { HAS_RANK, unranked } from '../nodes/photo-rank.js';
import type { PreparedRow } from './import-node.js';
import type { TreeView } from './tree-view.js';

/** The first photo of an empty gallery comes before it. */
const EMPTY = 1;

export class BatchRanks {
  /** By gallery: the ranks that another photo has, of those that rows have. */
  readonly #taken = new Map<string, Set<number>>();
  /** By gallery. */
  readonly #first = new Map<string, number>();

  /** One command for all ranks of the rows, and one for each gallery. In the transaction that counts the photos in: it guards them. */
  static async read(db: Db, session: ClientSession, view: TreeView, rows: readonly PreparedRow[]): Promise<BatchRanks> {
    const read = new BatchRanks();
    const wanted = new Map<string, number[]>();
    for (const { node, slugs } of rows) {
      const gallery = node?.type === 'PHOTO' ? view.find(view.idAt(slugs.slice(0, -1)) ?? '') : null;
      if (gallery?.photo_order !== 'BY_HAND') continue;
      const given = node?.rank === undefined ? [] : [node.rank];
      wanted.set(gallery._id, [...(wanted.get(gallery._id) ?? []), ...given]);
    }
    const [first, ...more] = [...wanted]
      .filter(([, ranks]) => ranks.length > 0)
      .map(([parent_id, ranks]): Filter<StoredNode> => ({ parent_id, rank: { $in: ranks } }));
    const options = { session, projection: { parent_id: 1, rank: 1 } };
    const taken = first ? nodes(db).find(more.length === 0 ? first : { $or: [first, ...more] }, options) : [];
    for await (const { parent_id, rank } of taken) read.#note(parent_id, rank);
    for (const parent_id of wanted.keys()) {
      const lowest = await nodes(db).find({ parent_id, rank: HAS_RANK }, options).sort({ rank: 1 }).limit(1).next();
      read.#note(parent_id, lowest?.rank);
    }
    return read;
  }

  #note(gallery: string, rank: number | undefined): void {
    if (rank === undefined) return;
    this.#taken.set(gallery, (this.#taken.get(gallery) ?? new Set()).add(rank));
    this.#first.set(gallery, Math.min(this.#first.get(gallery) ?? EMPTY, rank));
  }

  /** A node that becomes a child of `parent`: it keeps its rank unless another photo has it, and is the first one otherwise. */
  place(parent: NodeDocument | null, node: NodeDocument): NodeDocument {
    if (parent?.photo_order !== 'BY_HAND') return unranked(node);
    const isFree = node.rank !== undefined && !this.#taken.get(parent._id)?.has(node.rank);
    const rank = isFree && node.rank !== undefined ? node.rank : (this.#first.get(parent._id) ?? EMPTY) - 1;
    this.#note(parent._id, rank);
    return { ...node, rank };
  }
}
