/** A node, followed live: its current state and every change, or null while the follower may not see it. */
import {
  type ChangeEvent,
  changedDocument,
  defineFeed,
  documentBytes,
  type StateFeed,
} from '../../../database/index.js';
import { asNode, findNode, isPublic, type NodeDocument, nodes, type StoredNode } from './node.js';

export interface NodeArgs {
  readonly id: string;
  /** Whether the follower sees nodes in every state. */
  readonly seesAll: boolean;
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

  key: ({ id, seesAll }) => JSON.stringify([id, seesAll]),
  topic: ({ id }) => topicOf(id),
  // Updates count children or mark a purge: nothing that is visible. Every other write replaces the document (`node-change.ts`).
  topics: (event) => (event.operation === 'update' ? [] : [topicOf(event.documentKey._id)]),

  snapshot: async (db, { id }, session) => ({ node: await findNode(db, id, session) }),

  touched: (event, { id }) => (event.documentKey._id === id ? WHOLE : []),
  apply: (state, event, { id, seesAll }, now) => {
    if (event.documentKey._id !== id) return [];
    const before = seen(state.node, seesAll, now);
    state.node = nodeAfter(state.node, event);
    return before === null && seen(state.node, seesAll, now) === null ? [] : WHOLE;
  },
  view: ({ node }, { seesAll }, now) => seen(node, seesAll, now),
  change: ({ node }, _keys, { seesAll }, now) => seen(node, seesAll, now),
  bytes: ({ node }) => (node ? documentBytes(node) : EMPTY_BYTES),
});

function nodeAfter(node: NodeDocument | null, event: ChangeEvent): NodeDocument | null {
  if (event.operation === 'delete') return null;
  if (event.document) return asNode(event.document as StoredNode);
  return node && changedDocument(node, event);
}

/** An announced node is public, even if this process's clock is a moment behind that of the announcement. */
const seen = (node: NodeDocument | null, seesAll: boolean, now: Date): NodeDocument | null =>
  node && (seesAll || node.state === 'PUBLISHED' || isPublic(node, now)) ? node : null;
