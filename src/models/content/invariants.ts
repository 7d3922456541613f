/** What must hold in content at any time: every check reads a node and what it is compared with at one cluster time. */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshotBatches, type Visited } from '../../database/collections/snapshot-batches.js';
import type { Violation } from '../domain.js';
import { DEPTH_MAX, groups, mayBeRoot } from './nodes/group.js';
import { nodes, ROOT, type StoredNode } from './nodes/node.js';
import { isSameContent } from './nodes/node-difference.js';
import { FORM, isPresentForm, OLD_FORMS } from './nodes/node-form.js';
import { findLineages } from './nodes/node-path.js';
import { type StoredVersion, versions } from './nodes/node-version.js';
import { HAS_RANK } from './nodes/photo-rank.js';
import { redirects } from './nodes/redirect.js';
import { tags } from './nodes/tag.js';

type Found = Omit<Violation, 'domain'>;

const violation = (invariant: string, subject: string, expected: number, found: number): Found => ({
  invariant,
  subject,
  expected,
  found,
});

/** The tree and the versions. */
export async function* findNodeViolations(db: Db, visited: Visited): AsyncGenerator<Found> {
  for await (const { documents, session } of inSnapshotBatches(db, nodes(db), { visited })) {
    const [lineages, chains, children, ranks] = [
      await findLineages(db, [...new Set(documents.map(({ parent_id }) => parent_id))], session),
      await findChains(db, session, documents),
      await countChildren(db, session, documents),
      await countRanks(db, session, documents),
    ];
    for (const node of documents) {
      if (!hasKnownForm(node)) yield violation('known-form', node._id, FORM, node.form ?? 1);
      if (!node.trash) yield* checkPlace(node, lineages.get(node.parent_id) ?? []);
      if (!node.trash?.is_purged) yield* checkVersions(node, chains.get(node._id));
      const counted = children.get(node._id) ?? 0;
      if (counted !== node.children) yield violation('children-counted', node._id, counted, node.children);
      const ranked = ranks.get(node._id) ?? 0;
      if (ranked !== rankedOf(node)) yield violation('photos-ranked', node._id, rankedOf(node), ranked);
    }
  }
}

/**
 * Whether it has all fields of its form, or one of the older forms. Their values are not compared with the text: a release that derives
 * them differently has another form.
 */
const hasKnownForm = (node: StoredNode): boolean =>
  isPresentForm(node)
    ? typeof node.summary === 'string' && Number.isInteger(node.words)
    : OLD_FORMS.includes(node.form ?? null);

/** @param lineage nearest first */
function* checkPlace(node: StoredNode, lineage: readonly StoredNode[]): Generator<Found> {
  const [parent] = lineage;
  const fits = parent
    ? !parent.trash && groups(parent.type, node.type)
    : node.parent_id === ROOT && mayBeRoot(node.type);
  if (!fits) yield violation('parent-groups-node', node._id, 1, 0);
  const isRooted = (lineage.at(-1)?.parent_id ?? ROOT) === ROOT; // a cycle has no end
  if (parent && !isRooted) yield violation('path-ends-at-root', node._id, 1, 0);
  if (lineage.length >= DEPTH_MAX) yield violation('depth', node._id, DEPTH_MAX, lineage.length + 1);
}

interface Chain {
  readonly count: number;
  readonly last: StoredVersion | undefined;
}

function* checkVersions(node: StoredNode, { count, last }: Chain = { count: 0, last: undefined }): Generator<Found> {
  if (count !== node.version) yield violation('versions-complete', node._id, node.version, count);
  const isCurrent = last?._id.nonce === node.nonce && last.version === node.version && isSameContent(last, node);
  if (!isCurrent) yield violation('last-version-is-current', node._id, node.version, last?.version ?? 0);
}

async function findChains(
  db: Db,
  session: ClientSession,
  documents: readonly StoredNode[],
): Promise<ReadonlyMap<string, Chain>> {
  const ids = documents.map(({ _id }) => _id);
  const counts = await versions(db)
    .aggregate<{ _id: string; count: number }>(
      [{ $match: { '_id.node': { $in: ids } } }, { $group: { _id: '$_id.node', count: { $sum: 1 } } }],
      { session },
    )
    .toArray();
  const last = await versions(db)
    .find({ _id: { $in: documents.map(({ _id, nonce }) => ({ node: _id, nonce })) } }, { session })
    .toArray();
  const lastOf = new Map(last.map((version) => [version._id.node, version]));
  return new Map(counts.map(({ _id, count }) => [_id, { count, last: lastOf.get(_id) }]));
}

async function countChildren(
  db: Db,
  session: ClientSession,
  documents: readonly StoredNode[],
): Promise<ReadonlyMap<string, number>> {
  const counts = await nodes(db)
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { parent_id: { $in: documents.map(({ _id }) => _id) }, state: { $ne: 'DELETED' } } },
        { $group: { _id: '$parent_id', count: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}

/** A redirect leads to a node, or it is closed because its node was removed, which an import may have brought again, or is being removed. */
export async function* findRedirectViolations(db: Db, visited: Visited): AsyncGenerator<Found> {
  for await (const { documents, session } of inSnapshotBatches(db, redirects(db), { visited })) {
    const ids = [...new Set(documents.map(({ node_id }) => node_id))];
    const found = await nodes(db)
      .find({ _id: { $in: ids } }, { session, projection: { trash: 1, imports: 1 } })
      .toArray();
    const targets = new Map(found.map((node) => [node._id, node]));
    for (const { _id, node_id, gone_until } of documents) {
      const target = targets.get(node_id);
      const fits = gone_until ? !target || target.trash?.is_purged || target.imports : target !== undefined;
      if (!fits) yield violation('redirect-leads-to-node', _id, 1, 0);
    }
  }
}

/** How many different ranks there should be below a node: each photo of a gallery with an order by hand has its own. */
const rankedOf = ({ photo_order, children }: StoredNode): number => (photo_order === 'BY_HAND' ? children : 0);

async function countRanks(
  db: Db,
  session: ClientSession,
  documents: readonly StoredNode[],
): Promise<ReadonlyMap<string, number>> {
  const galleries = documents.filter(({ type }) => type === 'GALLERY').map(({ _id }) => _id);
  if (galleries.length === 0) return new Map();
  const counts = await nodes(db)
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { parent_id: { $in: galleries }, rank: HAS_RANK } },
        { $group: { _id: { parent: '$parent_id', rank: '$rank' } } },
        { $group: { _id: '$_id.parent', count: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}

/** The counters of the tags. Tags that nodes have and no counter are found by the repair. */
export async function* findTagViolations(db: Db, visited: Visited): AsyncGenerator<Found> {
  for await (const { documents, session } of inSnapshotBatches(db, tags(db), { visited })) {
    const counts = await countTags(
      db,
      documents.map(({ _id }) => _id),
      session,
    );
    for (const { _id, count } of documents) {
      const counted = counts.get(_id) ?? 0;
      if (counted !== count) yield violation('tag-counted', _id, counted, count);
    }
  }
}

/** How many published nodes have each of these tags. */
export async function countTags(
  db: Db,
  counted: readonly string[],
  session: ClientSession,
): Promise<ReadonlyMap<string, number>> {
  const counts = await nodes(db)
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { tags: { $in: [...counted] }, state: 'PUBLISHED' } },
        { $unwind: '$tags' },
        { $match: { tags: { $in: [...counted] } } },
        { $group: { _id: '$tags', count: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}
