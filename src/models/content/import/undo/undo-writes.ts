/** The writes of an undo, within its transaction. */
import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { type NodeDocument, nodes, type StoredNode } from '../../nodes/node.js';
import { derived } from '../../nodes/node-change.js';
import { asVersion, type StoredVersion, type VersionDocument, versions } from '../../nodes/node-version.js';
import { type RedirectDocument, redirects } from '../../nodes/redirect.js';
import { moveTagCounts } from '../../nodes/tag.js';
import { releasing } from './import-claims.js';
import type { SharedNode, SteppedBack } from './undo-plan.js';

/** Nodes that others have brought, too, are theirs now. */
export async function leaveToOthers(
  db: Db,
  session: ClientSession,
  work: string,
  shared: readonly SharedNode[],
): Promise<void> {
  const left = shared
    .filter(({ isLeft }) => isLeft)
    .map(({ node: { _id, parent_id, slug } }): AnyBulkWriteOperation<StoredNode> => {
      // `revision` rises, so that a write that has read the node before does not restore it.
      const update = { $pull: { imports: work }, $inc: { revision: 1 } };
      return { updateOne: { filter: { _id, parent_id, slug }, update } };
    });
  if (left.length > 0) await nodes(db).bulkWrite(left, { session });
  const ofVersions = shared.flatMap((one) =>
    one.versions.map((row): AnyBulkWriteOperation<StoredVersion> => {
      const filter = { _id: row._id, '_id.node': row._id.node };
      return { updateOne: { filter, update: releasing(work, row) } };
    }),
  );
  if (ofVersions.length > 0) await versions(db).bulkWrite(ofVersions, { session });
  const ofRedirects = shared.flatMap((one) =>
    one.redirects.map(
      (row): AnyBulkWriteOperation<RedirectDocument> => ({
        updateOne: { filter: { _id: row._id }, update: releasing(work, row) },
      }),
    ),
  );
  if (ofRedirects.length > 0) await redirects(db).bulkWrite(ofRedirects, { session });
}

/** Call it after `leaveToOthers`. */
export async function stepBack(
  db: Db,
  session: ClientSession,
  work: string,
  steppedBack: readonly SteppedBack[],
  at: Date,
): Promise<void> {
  const left = steppedBack.flatMap((one) => one.redirects);
  if (left.length > 0) await redirects(db).deleteMany({ _id: { $in: left } }, { session });
  const changed = steppedBack.filter(({ node, version }) => version < node.version);
  const [first, ...more] = changed.map(({ node: { _id }, version }) => ({ '_id.node': _id, version }));
  if (!first) return;
  const found = await versions(db)
    .find(more.length === 0 ? first : { $or: [first, ...more] }, { session })
    .map(asVersion)
    .toArray();
  const byNode = new Map(found.map((version) => [version._id.node, version]));
  const changes = changed.flatMap(({ node }) => {
    const version = byNode.get(node._id);
    return version ? [{ before: node, after: asIn(node, version, work, at) }] : [];
  });
  await nodes(db).bulkWrite(
    changes.map(({ before, after }) => replacement({ before: { ...before, revision: before.revision + 1 }, after })),
    { session },
  );
  await versions(db).bulkWrite(
    changes.flatMap(({ after }) => versionWrites(after)),
    { session },
  );
  await moveTagCounts(db, session, changes);
}

/** As it was in a version. It was read before `leaveToOthers`. */
function asIn(
  { moved_from: _, imports = [], ...node }: NodeDocument,
  { _id: { nonce }, version, title, excerpt, published, detail, at: edited }: VersionDocument,
  work: string,
  at: Date,
): NodeDocument {
  const content = { title, excerpt, published, detail, nonce, version, edited };
  return {
    ...derived({ ...node, ...content, imports: imports.filter((id) => id !== work) }, at),
    revision: node.revision + 2,
  };
}

/** A version that is the last one is where the node is: a later one may have said that it was elsewhere. */
function versionWrites({ _id, version, parent_id, slug }: NodeDocument): AnyBulkWriteOperation<StoredVersion>[] {
  return [
    { deleteMany: { filter: { '_id.node': _id, version: { $gt: version } } } }, // guard: the node, replaced in the same transaction
    { updateOne: { filter: { '_id.node': _id, version }, update: { $set: { parent_id, slug } } } },
  ];
}

/** First they are replaced as if they were put into the trash: so the lists that show them learn that they go. */
export async function removeNodes(
  db: Db,
  session: ClientSession,
  removed: readonly NodeDocument[],
  at: Date,
): Promise<void> {
  if (removed.length === 0) return;
  const changes = removed.map((before) => ({ before, after: inTrash(before, at) }));
  const ids = removed.map(({ _id }) => _id);
  const parents = await parentUpdates(db, session, removed);
  // One command of updates and one of deletions.
  await nodes(db).bulkWrite([...parents, ...changes.map(replacement), ...changes.map(deletion)], { session });
  await versions(db).deleteMany({ '_id.node': { $in: ids } }, { session });
  // Closed ones say what was there before the import.
  await redirects(db).deleteMany({ node_id: { $in: ids }, gone_until: { $exists: false } }, { session });
  await moveTagCounts(db, session, changes);
}

/** All that follows from its text stays as it is. */
function inTrash({ moved_from: _, ...node }: NodeDocument, at: Date): NodeDocument {
  const trash = { at, slug: node.slug, is_purged: true } as const;
  return { ...node, slug: `~${node._id}`, published: null, state: 'DELETED', trash, revision: node.revision + 1 };
}

interface Change {
  readonly before: NodeDocument;
  readonly after: NodeDocument;
}

/** Otherwise five indexes are tried for each of them, which takes longer than the write. */
const BY_ID = { _id: 1 };

/** Guard: what was written since the read makes the transaction conflict and start again. */
const asRead = ({ _id, parent_id, slug, revision }: NodeDocument) => ({ _id, parent_id, slug, revision });

const replacement = ({ before, after }: Change): AnyBulkWriteOperation<StoredNode> => ({
  replaceOne: { filter: asRead(before), replacement: after, hint: BY_ID },
});

const deletion = ({ after }: Change): AnyBulkWriteOperation<StoredNode> => ({
  deleteOne: { filter: asRead(after), hint: BY_ID },
});

/** As `countChild`: they conflict with writes that move or delete a parent at the same time. */
async function parentUpdates(
  db: Db,
  session: ClientSession,
  removed: readonly NodeDocument[],
): Promise<AnyBulkWriteOperation<StoredNode>[]> {
  const counts = new Map<string, number>();
  for (const { parent_id } of removed) counts.set(parent_id, (counts.get(parent_id) ?? 0) + 1);
  const parents = await nodes(db)
    .find({ _id: { $in: [...counts.keys()] } }, { session, projection: { parent_id: 1, slug: 1 } })
    .toArray();
  return parents.map(({ _id, parent_id, slug }) => ({
    updateOne: {
      filter: { _id, parent_id, slug },
      update: { $inc: { children: -(counts.get(_id) ?? 0), revision: 1 } },
    },
  }));
}
