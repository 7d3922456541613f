/**
 * What is stored at the places and under the ids of the rows of a batch, read with few commands, and changed as rows are added. Texts are
 * read only where they may be those of a row: what is in memory is bounded by the bytes of the rows, not by those of what is stored.
 */
import type { ClientSession, Db, Document, Filter } from 'mongodb';
import { asNode, type NodeDocument, nodes, ROOT, type StoredNode } from '../nodes/node.js';
import { findLineages } from '../nodes/node-path.js';
import { type StoredVersion, type VersionDocument, versions } from '../nodes/node-version.js';
import type { ImportTarget, PreparedRow } from './import-node.js';

const placeOf = (parentId: string, slug: string): string => `${parentId}/${slug}`;
/** Nodes, without what may be long. */
const NO_TEXT = { 'detail.text': 0, 'detail.description': 0 } as const;

/** Versions likewise, with the length of their texts instead. */
const ONLY_LENGTH = {
  version: 1,
  import: 1,
  found_by: 1,
  title: 1,
  excerpt: 1,
  published: 1,
  'detail.video_url': 1,
  'detail.source': 1,
  'detail.asset_id': 1,
  bytes: {
    $add: [
      { $strLenBytes: { $ifNull: ['$detail.text', ''] } },
      { $strLenBytes: { $ifNull: ['$detail.description', ''] } },
    ],
  },
} as const;

/** What is compared with a row. */
export type ViewedVersion = Pick<
  VersionDocument,
  '_id' | 'version' | 'import' | 'found_by' | 'title' | 'excerpt' | 'published' | 'detail'
> & {
  /** Its texts are longer than those of any row for it, and not in `detail`. */
  readonly isLonger?: boolean;
};

const versionKey = (id: string, version: number): string => `${id} ${version}`;

export class TreeView {
  /** The target and the nodes above it. Empty for the root, and for a target that is not there any more. */
  #lineage: readonly NodeDocument[] = [];
  readonly #byId = new Map<string, NodeDocument>();
  readonly #idsByPlace = new Map<string, string>();
  readonly #versions = new Map<string, ViewedVersion>();

  private constructor(private readonly target: string) {}

  static async read(
    db: Db,
    session: ClientSession,
    { parentId }: Pick<ImportTarget, 'parentId'>,
    rows: readonly PreparedRow[],
  ): Promise<TreeView> {
    const view = new TreeView(parentId);
    view.#lineage = (await findLineages(db, [parentId], session)).get(parentId) ?? [];
    view.#note(view.#lineage);
    const ids = rows.map(({ id }) => id);
    const own = nodes(db).find({ _id: { $in: ids } }, { session, projection: NO_TEXT });
    view.#note(await own.map(asNode).toArray());
    await view.#readPlaces(db, session, rows);
    await view.#readVersions(db, session, rows);
    return view;
  }

  /** The number of slugs in the path of the target. */
  get depth(): number {
    return this.#lineage.length;
  }

  /** Without its texts, unless a row of the batch has made it. */
  find(id: string): NodeDocument | null {
    return this.#byId.get(id) ?? null;
  }

  /** The id of the node at a path below the target. */
  idAt(slugs: readonly string[]): string | null {
    let id: string | undefined = this.target;
    for (const slug of slugs) {
      id = this.#idsByPlace.get(placeOf(id, slug));
      if (id === undefined) return null;
    }
    return id;
  }

  version(id: string, version: number): ViewedVersion | null {
    return this.#versions.get(versionKey(id, version)) ?? null;
  }

  /** A row has made or changed a node. */
  put(node: NodeDocument, version: VersionDocument): void {
    this.#note([node]);
    this.#versions.set(versionKey(node._id, version.version), version);
  }

  #note(found: readonly NodeDocument[]): void {
    for (const node of found) {
      this.#byId.set(node._id, node);
      this.#idsByPlace.set(placeOf(node.parent_id, node.slug), node._id);
    }
  }

  /** The nodes at the paths of the rows and above them, and above their former paths, level by level: one command for each. */
  async #readPlaces(db: Db, session: ClientSession, rows: readonly PreparedRow[]): Promise<void> {
    const paths = rows.flatMap(({ row: { previousPath }, slugs }) =>
      previousPath === undefined ? [slugs] : [slugs, previousPath.split('/').slice(0, -1)],
    );
    const levels = Math.max(0, ...paths.map((slugs) => slugs.length));
    for (let level = 1; level <= levels; level += 1) {
      const wanted = new Map<string, Set<string>>();
      for (const slugs of paths) {
        const [slug] = slugs.slice(level - 1, level);
        const parentId = this.idAt(slugs.slice(0, level - 1));
        if (slug === undefined || parentId === null) continue;
        wanted.set(parentId, (wanted.get(parentId) ?? new Set()).add(slug));
      }
      const [first, ...more] = [...wanted].map(
        ([parent_id, slugs]): Filter<StoredNode> => ({ parent_id, slug: { $in: [...slugs] } }),
      );
      if (!first) return;
      const filter = more.length === 0 ? first : { $or: [first, ...more] };
      this.#note(await nodes(db).find(filter, { session, projection: NO_TEXT }).map(asNode).toArray());
    }
  }

  /** Of nodes that are there, the version that the row has. */
  async #readVersions(db: Db, session: ClientSession, rows: readonly PreparedRow[]): Promise<void> {
    const wanted = new Map<string, PreparedRow[]>();
    for (const prepared of rows)
      for (const node of new Set([prepared.id, this.idAt(prepared.slugs)])) {
        if (node === null || !this.#byId.has(node)) continue;
        const key = versionKey(node, prepared.row.version);
        wanted.set(key, [...(wanted.get(key) ?? []), prepared]);
      }
    const filters = [...wanted.keys()].map(filterOf);
    const alike: Filter<StoredVersion>[] = [];
    for (const { bytes, ...version } of await findAny<Measured>(db, session, filters, ONLY_LENGTH)) {
      const key = versionKey(version._id.node, version.version);
      const others = (wanted.get(key) ?? []).filter(({ nonce }) => nonce !== version._id.nonce);
      const isLonger = bytes > Math.max(0, ...others.map(textBytesOf));
      this.#versions.set(key, { ...version, isLonger });
      if (bytes > 0 && !isLonger) alike.push(filterOf(key));
    }
    for (const { _id, version, detail } of await findAny<ViewedVersion>(db, session, alike, {
      version: 1,
      detail: 1,
    })) {
      const key = versionKey(_id.node, version);
      const viewed = this.#versions.get(key);
      if (viewed) this.#versions.set(key, { ...viewed, detail });
    }
  }

  /** Whether rows may be stored below the target. */
  get isTargetThere(): boolean {
    return this.target === ROOT || (this.#lineage[0] !== undefined && !this.#lineage[0].trash);
  }
}

function filterOf(key: string): Filter<StoredVersion> {
  const [node = '', version] = key.split(' ');
  return { '_id.node': node, version: Number(version) };
}

type Measured = ViewedVersion & { readonly bytes: number };

/** Storing a text may shorten it. */
const textBytesOf = ({ row: { text = '', description = '' } }: PreparedRow): number =>
  Buffer.byteLength(text) + Buffer.byteLength(description);

async function findAny<T extends Document>(
  db: Db,
  session: ClientSession,
  [first, ...more]: readonly Filter<StoredVersion>[],
  projection: Document,
): Promise<T[]> {
  if (!first) return [];
  return versions(db)
    .find(more.length === 0 ? first : { $or: [first, ...more] }, { session })
    .project<T>(projection)
    .toArray();
}
