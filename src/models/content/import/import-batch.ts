/**
 * Storing the versions of a batch in one transaction, with about as many commands for a hundred rows as for one: what they depend on is
 * read at once (one command for each level of their paths, and one for each gallery whose photos have ranks; `tree-view.ts`), each row is checked against it and against the rows before it, and then everything is written at once. What a
 * single write of a node does (`insertNode`, `storeVersion`) happens here for all of them: counting children, taking places, claiming
 * pictures, noting authors, counting tags.
 */
import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { idOfType } from '../../../shared/global-id.js';
import type { AuthorReference } from '../../people/author.js';
import { findUsersById } from '../../people/user.js';
import { claimAssets } from '../../system/assets/asset-claim.js';
import { noteAuthors } from '../nodes/author-name.js';
import { DEPTH_MAX, depthMaxOf, groups, mayBeRoot } from '../nodes/group.js';
import { type NodeDocument, nodes, ROOT, type StoredNode } from '../nodes/node.js';
import { derived } from '../nodes/node-change.js';
import { type VersionDocument, versionOf, versions } from '../nodes/node-version.js';
import { takePlaces } from '../nodes/redirect.js';
import { moveTagCounts } from '../nodes/tag.js';
import { BatchPictures } from './batch-pictures.js';
import { BatchRanks } from './batch-ranks.js';
import { contentOf, type ImportTarget, isPresent, type PreparedRow, type StoredRow } from './import-node.js';
import { type ImportRow, RowError } from './import-row.js';
import { type PreviousPlace, placePrevious } from './previous-place.js';
import { TreeView, type ViewedVersion } from './tree-view.js';
import { IMPORTS_MAX, isAsImported, noteFound } from './undo/import-claims.js';

interface StagedNode {
  /** As stored. Null for a new one. */
  readonly before: NodeDocument | null;
  after: NodeDocument;
}

export class ImportBatch {
  readonly #nodes = new Map<string, StagedNode>();
  readonly #versions: VersionDocument[] = [];
  readonly #authors: AuthorReference[] = [];
  readonly #previous: PreviousPlace[] = [];
  /** The number of new nodes below nodes that are stored. */
  readonly #children = new Map<string, number>();
  /** Nodes that another import has brought, and that this one has, too. */
  readonly #shared = new Set<string>();
  /** The versions that another import has stored, and that this one has, too. */
  readonly #found: VersionDocument['_id'][] = [];
  readonly #pictures = new Set<string>();

  private constructor(
    private readonly db: Db,
    private readonly session: ClientSession,
    private readonly target: ImportTarget,
    private readonly view: TreeView,
    private readonly ranks: BatchRanks,
    private readonly pictures: BatchPictures,
    private readonly accounts: ReadonlyMap<string, AuthorReference>,
  ) {}

  /** Reads what these rows depend on. Then call `add` with each of them, in order, and at last `write`. */
  static async read(
    db: Db,
    session: ClientSession,
    target: ImportTarget,
    rows: readonly PreparedRow[],
  ): Promise<ImportBatch> {
    const accountIds = rows.flatMap(({ row: { authorId } }) => accountOf(authorId) ?? []);
    const accounts = accountIds.length === 0 ? [] : await findUsersById(db, [...new Set(accountIds)]);
    const view = await TreeView.read(db, session, target, rows);
    const named = accounts.map(({ _id, name }) => [_id, { _id, name }] as const);
    const ranks = await BatchRanks.read(db, session, view, rows);
    const pictures = await BatchPictures.read(db, session, rows);
    return new ImportBatch(db, session, target, view, ranks, pictures, new Map(named));
  }

  /** @throws RowError, and then nothing is added */
  async add(prepared: PreparedRow): Promise<StoredRow> {
    const { row, id, nonce, slugs } = prepared;
    const own = this.view.find(id);
    const occupant = this.view.find(this.view.idAt(slugs) ?? '');
    const present = [own, occupant].filter((node) => node !== null);
    for (const node of present) {
      const version = this.view.version(node._id, row.version);
      const isHere = version && (version._id.nonce === nonce || this.#isPresent(prepared, node, version));
      if (!isHere) continue;
      this.#noteFound(node, version);
      return 'SKIPPED';
    }
    if (row.version === 1) await this.#addNode(prepared, present.length > 0);
    else await this.#addNext(prepared, own, present);
    return 'IMPORTED';
  }

  #isPresent(prepared: PreparedRow, node: NodeDocument, version: ViewedVersion): boolean {
    return !node.trash && !version.isLonger && isPresent(prepared, node, version, this.target.asDrafts);
  }

  async #addNode({ row, node, slugs }: PreparedRow, isPresentOtherwise: boolean): Promise<void> {
    if (!node) throw new Error('A first version has been prepared without its node');
    const parentId = this.view.idAt(slugs.slice(0, -1));
    if (parentId === null || !this.#mayBeBelow(node, parentId)) throw new RowError('NO_PARENT', 'path');
    if (isPresentOtherwise) throw new RowError('DIFFERS', 'path');
    const depth = this.view.depth + slugs.length;
    if (depth > depthMaxOf(node.type) || depth > DEPTH_MAX) throw new RowError('TOO_DEEP', 'path');
    await this.#requirePictures(node.asset_ids, node.detail.asset_id);
    const author = this.#authorOf(row);
    const placed = this.ranks.place(this.view.find(parentId), node);
    this.#countChild(parentId);
    this.#stage(null, { ...placed, parent_id: parentId, author }, author);
  }

  #mayBeBelow({ type }: NodeDocument, parentId: string): boolean {
    if (parentId === ROOT) return mayBeRoot(type);
    const parent = this.view.find(parentId);
    return this.view.isTargetThere && parent !== null && groups(parent.type, type);
  }

  /** The next version of a node that an import has brought, and that nobody has changed since. */
  async #addNext(
    { row, nonce, at }: PreparedRow,
    own: NodeDocument | null,
    present: readonly NodeDocument[],
  ): Promise<void> {
    const isNext = own && !own.trash && own.version === row.version - 1 && isAsImported(own);
    if (!isNext && present.some(({ version }) => version >= row.version)) throw new RowError('DIFFERS', 'version');
    if (!isNext) throw new RowError('NO_PREVIOUS_VERSION', 'version');
    const content = contentOf(row, own.type, this.target.asDrafts);
    const before = this.#nodes.has(own._id) ? own : null; // of what is stored, the text is not in memory
    const after = derived({ ...own, ...content, nonce, version: row.version, edited: at }, this.target.at, before);
    await this.#requirePictures(after.asset_ids, after.detail.asset_id);
    if (row.previousPath !== undefined) this.#previous.push({ node: own, path: row.previousPath });
    this.#share(own);
    this.#stage(own, after, this.#authorOf(row));
  }

  #stage(own: NodeDocument | null, after: NodeDocument, author: AuthorReference): void {
    const staged = this.#nodes.get(after._id);
    if (staged) staged.after = after;
    else this.#nodes.set(after._id, { before: own, after });
    const version: VersionDocument = { ...versionOf(after, author), import: this.target.work };
    this.#versions.push(version);
    this.#authors.push(author);
    this.view.put(after, version);
  }

  #countChild(parentId: string): void {
    if (parentId !== ROOT) this.#children.set(parentId, (this.#children.get(parentId) ?? 0) + 1);
  }

  /** It has stored something of a node that another import has brought. */
  #share({ _id, imports }: NodeDocument): void {
    if (!imports?.includes(this.target.work)) this.#shared.add(_id);
  }

  /** It has found a version as it would have stored it. */
  #noteFound(node: NodeDocument, { _id, import: by, found_by }: ViewedVersion): void {
    const { work } = this.target;
    if (!node.imports) return; // no import has brought it
    if (node.imports.length < IMPORTS_MAX) this.#share(node);
    const isNoted = node.imports.includes(work) || this.#shared.has(node._id);
    if (isNoted && by !== work && !found_by?.includes(work)) this.#found.push(_id);
  }

  /** @throws RowError */
  async #requirePictures(ids: readonly string[], ofField: string | undefined): Promise<void> {
    const missing = await this.pictures.findMissing(this.db, this.session, ids);
    if (missing.length > 0) throw new RowError('UNKNOWN_PICTURE', missing.includes(ofField ?? '') ? 'imageId' : 'text');
    for (const id of ids) this.#pictures.add(id);
  }

  /** Under the present name of the account, if there is one here. */
  #authorOf({ author, authorId }: ImportRow): AuthorReference {
    const account = this.accounts.get(accountOf(authorId) ?? '');
    return account ?? (author === undefined ? this.target.author : { name: author });
  }

  async write(): Promise<void> {
    const { db, session } = this;
    const staged = [...this.#nodes.values()];
    const operations = [...this.#parentUpdates(), ...this.#shareUpdates(), ...staged.map((one) => this.#write(one))];
    if (operations.length > 0) {
      const { matchedCount, insertedCount } = await nodes(db).bulkWrite(operations, { session });
      if (matchedCount + insertedCount !== operations.length) throw new Error('A node changed within a transaction');
    }
    if (this.#found.length > 0) await noteFound(db, session, this.target.work, this.#found);
    if (staged.length === 0) return;
    await versions(db).insertMany(this.#versions, { session });
    const made = staged.filter(({ before }) => before === null).map(({ after }) => after);
    if (made.length > 0) await takePlaces(db, session, made);
    await claimAssets(db, session, [...this.#pictures], { field: 'text', now: this.target.at });
    await noteAuthors(db, session, this.#authors);
    await moveTagCounts(db, session, staged);
    await placePrevious(db, session, this.target.parentId, this.view, this.#previous);
  }

  /** First: they conflict with other imports below the same node, and then nothing more is sent in vain. */
  #parentUpdates(): AnyBulkWriteOperation<StoredNode>[] {
    return [...this.#children].flatMap(([id, count]) => {
      const parent = this.view.find(id);
      if (!parent || this.#nodes.has(id)) return [];
      const { _id, parent_id, slug } = parent;
      // As `countChild`: it conflicts with a write that moves or deletes the parent at the same time.
      const update = { $inc: { children: count, revision: 1 } };
      return [{ updateOne: { filter: { _id, parent_id, slug }, update } }];
    });
  }

  #shareUpdates(): AnyBulkWriteOperation<StoredNode>[] {
    return [...this.#shared].flatMap((id) => {
      const node = this.view.find(id);
      if (!node || this.#nodes.has(id)) return [];
      const { _id, parent_id, slug } = node;
      // Guard: `revision` rises, so that a write that has read the node before does not remove it again.
      const update = { $addToSet: { imports: this.target.work }, $inc: { revision: 1 } };
      return [{ updateOne: { filter: { _id, parent_id, slug }, update } }];
    });
  }

  #write({ before, after }: StagedNode): AnyBulkWriteOperation<StoredNode> {
    const { _id, parent_id, slug } = after;
    const children = after.children + (this.#children.get(_id) ?? 0);
    if (!before) return { insertOne: { document: { ...after, children } } };
    const { moved_from: _, ...kept } = after;
    const imports = this.#shared.has(_id) ? [...(after.imports ?? []), this.target.work] : after.imports;
    const revision = before.revision + 1;
    return {
      replaceOne: {
        filter: { _id, parent_id, slug, revision: before.revision }, // guard: as `replaceNode`
        replacement: { ...kept, children, revision, ...(imports && { imports }) },
      },
    };
  }
}

const accountOf = (authorId: string | undefined): string | null =>
  authorId === undefined ? null : idOfType('User', authorId);
