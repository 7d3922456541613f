/** Adding and removing tags. They need no nonce and make no version: two editors who tag a node at once do not disturb each other. */
import type { ClientSession, Db } from 'mongodb';
import { InputError, LimitError, SextantError } from '../../../shared/errors.js';
import type { NodeDocument } from '../nodes/node.js';
import { inNodeTransaction, replaceNode, touched } from '../nodes/node-change.js';
import { requireTags, TAGS_MAX } from '../nodes/node-input.js';
import { findWritable, type Writer } from '../nodes/rights.js';

/** Who tags, and when. */
export interface Tagging extends Writer {
  readonly at: Date;
}

/** @throws SextantError NOT_FOUND, FORBIDDEN @throws InputError @throws LimitError */
export async function addTags(db: Db, id: string, added: readonly string[], by: Tagging): Promise<NodeDocument> {
  const tags = requireSome(requireTags('tags', added));
  return changeTags(db, id, by, (before) => [...new Set([...before, ...tags])]);
}

/** @throws SextantError NOT_FOUND, FORBIDDEN @throws InputError */
export async function removeTags(db: Db, id: string, removed: readonly string[], by: Tagging): Promise<NodeDocument> {
  const tags = new Set(requireSome(requireTags('tags', removed)));
  return changeTags(db, id, by, (before) => before.filter((tag) => !tags.has(tag)));
}

function requireSome(tags: string[]): string[] {
  if (tags.length === 0) throw new InputError('tags', 'must name at least one tag');
  return tags;
}

const changeTags = (
  db: Db,
  id: string,
  by: Tagging,
  change: (before: readonly string[]) => string[],
): Promise<NodeDocument> =>
  inNodeTransaction(db, async (session: ClientSession) => {
    const before = await findWritable(db, id, by, session);
    if (!before || before.trash) throw new SextantError('NOT_FOUND', 'There is no such node');
    const tags = change(before.tags);
    if (tags.length > TAGS_MAX)
      throw new LimitError(`A node may have at most ${TAGS_MAX} tags`, TAGS_MAX, { field: 'tags' });
    if (tags.length === before.tags.length) return before; // a set that grew or shrank has another length
    return replaceNode(db, session, before, touched({ ...before, tags }), by.at);
  });
