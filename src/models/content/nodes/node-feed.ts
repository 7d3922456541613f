/** A node, followed live: its current state and every change, or null while the follower may not see it. */
import {
  type ChangeEvent,
  changedDocument,
  defineFeed,
  documentBytes,
  type StateFeed,
} from '../../../database/index.js';
import { asNode, findNode, type NodeDocument, nodes, type StoredNode } from './node.js';
import { isSeen, type Sight } from './rights.js';

export interface NodeArgs {
  readonly id: string;
  readonly sight: Sight;
}

interface Followed {
  /** Replaced, not modified. Null before it is created and after it is purged. */
  node: NodeDocument | null;
}

const WHOLE = ['node'];
const EMPTY_BYTES = 100;
const topicOf = (id: unknown) => `${nodes.collectionName}:${id}`;

export const nodeFeed: StateFeed<NodeArgs, Followed, NodeDocument | null, NodeDocument | null> = defineFeed({
  kind: 'state',
  name: 'node',
  collections: [nodes],

  key: ({ id, sight }) => JSON.stringify([id, sight]),
  topic: ({ id }) => topicOf(id),
  // Updates count children, rank photos, note imports, migrate the form or mark a purge: nothing that a node shows of itself. Every
  // other write replaces the document (`node-change.ts`).
  topics: (event) => (event.operation === 'update' ? [] : [topicOf(event.documentKey._id)]),

  snapshot: async (db, { id }, session) => ({ node: await findNode(db, id, session) }),

  touched: (event, { id }) => (event.documentKey._id === id ? WHOLE : []),
  apply: (state, event, { id, sight }, now) => {
    if (event.documentKey._id !== id) return [];
    const before = seen(state.node, sight, now);
    state.node = nodeAfter(state.node, event);
    return before === null && seen(state.node, sight, now) === null ? [] : WHOLE;
  },
  view: ({ node }, { sight }, now) => seen(node, sight, now),
  change: ({ node }, _keys, { sight }, now) => seen(node, sight, now),
  bytes: ({ node }) => (node ? documentBytes(node) : EMPTY_BYTES),
});

function nodeAfter(node: NodeDocument | null, event: ChangeEvent): NodeDocument | null {
  if (event.operation === 'delete') return null;
  if (event.document) return asNode(event.document as StoredNode);
  return node && changedDocument(node, event);
}

/** An announced node is public, even if this process's clock is a moment behind that of the announcement. */
const seen = (node: NodeDocument | null, sight: Sight, now: Date): NodeDocument | null =>
  node && (node.state === 'PUBLISHED' || isSeen(node, sight, now)) ? node : null;
