/**
 * What an undo does with each node of a batch. One that only this import has brought is removed, unless somebody has edited it or commented on it. Of one that
 * others have brought, too, what only this import has is taken back: its redirects, and its versions after the last one that another
 * import has. If somebody has edited the node, or commented on it, they stay.
 */
import type { ClientSession, Db } from 'mongodb';
import { findDiscussions } from '../../../comments/discussion/discussion.js';
import type { NodeDocument } from '../../nodes/node.js';
import { discussionOfNode } from '../../nodes/node-comments.js';
import { type VersionDocument, versions } from '../../nodes/node-version.js';
import { type RedirectDocument, redirects } from '../../nodes/redirect.js';
import { type Claimed, isAsImported, isClaimedBy, isClaimedByOthers } from './import-claims.js';

type VersionRow = Pick<VersionDocument, '_id' | 'version' | 'asset_ids' | 'import' | 'found_by'>;

export interface SharedNode {
  readonly node: NodeDocument;
  /** What this import has, and others, too. */
  readonly versions: readonly VersionRow[];
  readonly redirects: readonly RedirectDocument[];
  /** Whether nothing stays that only this import has. */
  readonly isLeft: boolean;
}

export interface SteppedBack {
  readonly node: NodeDocument;
  /** The last version that stays: that of the node, or one before it. */
  readonly version: number;
  /** The ids of those that go. */
  readonly redirects: readonly string[];
}

export interface UndoPlan {
  readonly removed: readonly NodeDocument[];
  readonly shared: readonly SharedNode[];
  readonly steppedBack: readonly SteppedBack[];
  /** The pictures that the nodes show. */
  readonly shown: ReadonlySet<string>;
  /** The number of rows that this import has stored and that go, or are left to others. */
  readonly taken: number;
  /** Of those that stay. */
  readonly kept: number;
}

export async function planUndo(
  db: Db,
  session: ClientSession,
  work: string,
  found: readonly NodeDocument[],
): Promise<UndoPlan> {
  const rows = await readRows(
    db,
    session,
    found.map(({ _id }) => _id),
  );
  const commented = await findCommented(db, session, found);
  const isUntouched = (node: NodeDocument): boolean => isAsBrought(node) && !commented.has(discussionOfNode(node._id));
  const isRemovable = (node: NodeDocument): boolean => isUntouched(node) && node.children === 0;
  const removed: NodeDocument[] = [];
  const shared: SharedNode[] = [];
  const steppedBack: SteppedBack[] = [];
  const shown = new Set<string>();
  let [taken, kept] = [0, 0];
  for (const node of found) {
    const own = rows.get(node._id) ?? { versions: [], redirects: [] };
    for (const { asset_ids } of own.versions) for (const id of asset_ids) shown.add(id);
    const stored = countStored(work, own);
    const plan = isShared(work, node, own) ? planShared(work, node, own, isUntouched(node)) : null;
    const stays = plan ? plan.kept : isRemovable(node) ? 0 : stored;
    taken += stored - stays;
    kept += stays;
    if (plan) shared.push(plan.shared);
    else if (stays === 0 && isRemovable(node)) removed.push(node);
    if (plan?.steppedBack) steppedBack.push(plan.steppedBack);
  }
  return { removed, shared, steppedBack, shown, taken, kept };
}

/** What is in the trash was put there by somebody, who may restore it. */
const isAsBrought = (node: NodeDocument): boolean => !node.trash && !node.is_touched && isAsImported(node);

/** Those that somebody has commented on. @returns the ids of their discussions */
async function findCommented(
  db: Db,
  session: ClientSession,
  found: readonly NodeDocument[],
): Promise<ReadonlySet<string>> {
  const ids = found.map(({ _id }) => discussionOfNode(_id));
  const begun = await findDiscussions(db, ids, session);
  return new Set(begun.filter(({ issued }) => issued > 0).map(({ _id }) => _id));
}

interface NodeRows {
  readonly versions: VersionRow[];
  /** Those that are not closed. */
  readonly redirects: RedirectDocument[];
}

const countStored = (work: string, { versions: stored, redirects: left }: NodeRows): number =>
  [...stored, ...left].filter((row: Claimed) => row.import === work).length;

const isShared = (work: string, { imports = [] }: NodeDocument, { versions: stored, redirects: left }: NodeRows) =>
  imports.some((id) => id !== work) || [...stored, ...left].some((row) => isClaimedByOthers(work, row));

function planShared(
  work: string,
  node: NodeDocument,
  { versions: stored, redirects: leading }: NodeRows,
  isUntouched: boolean,
): { shared: SharedNode; steppedBack: SteppedBack | null; kept: number } {
  const ofOthers = stored.filter((row) => isClaimedByOthers(work, row)).map(({ version }) => version);
  const reach = Math.max(1, ...ofOthers); // a version needs those before it
  const isOwn = (row: Claimed) => isClaimedBy(work, row);
  const after = stored.filter((row) => row.version > reach && isOwn(row));
  const redirected = leading.filter((row) => isOwn(row) && !isClaimedByOthers(work, row));
  const stays = !isUntouched && after.length + redirected.length > 0;
  const goes = !stays && after.length + redirected.length > 0;
  const shared = {
    node,
    versions: stored.filter((row) => row.version <= reach && isOwn(row)),
    redirects: leading.filter((row) => isOwn(row) && isClaimedByOthers(work, row)),
    isLeft: !stays,
  };
  const version = after.length > 0 ? reach : node.version;
  const steppedBack = goes ? { node, version, redirects: redirected.map(({ _id }) => _id) } : null;
  return { shared, steppedBack, kept: stays ? countStored(work, { versions: after, redirects: redirected }) : 0 };
}

async function readRows(
  db: Db,
  session: ClientSession,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NodeRows>> {
  const rows = new Map(ids.map((id): [string, NodeRows] => [id, { versions: [], redirects: [] }]));
  const stored = versions(db)
    .find({ '_id.node': { $in: [...ids] } }, { session })
    .project<VersionRow>({ version: 1, import: 1, found_by: 1, asset_ids: 1 });
  for await (const version of stored) rows.get(version._id.node)?.versions.push(version);
  const leading = redirects(db).find({ node_id: { $in: [...ids] }, gone_until: { $exists: false } }, { session });
  for await (const redirect of leading) rows.get(redirect.node_id)?.redirects.push(redirect);
  return rows;
}
