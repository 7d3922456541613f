/**
 * The source of imported people, circles and posts: the ids that its keys become, and one document that every batch of its imports
 * changes, so that two imports of the same source take turns.
 */
import { createHash } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { requireVisible } from '../../../shared/visible-text.js';

export interface SourceDocument {
  /** The name of the source. */
  _id: string;
  /** How many batches were stored. */
  turn: number;
  /** Once people of it have posted: from then on, a new tie has posts to bring into the news. */
  has_posts?: true;
}

export const networkSources = defineCollection<SourceDocument>('social.sources');

const NAME_LENGTH_MAX = 100;
/** Of an id, as base64url: 96 bits, so that no two keys have the same. */
const ID_LENGTH = 16;

/** @throws InputError */
export const requireSource = (name: string): string => requireVisible('input.source', name, NAME_LENGTH_MAX);

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** The id of an imported person. Those of accounts are UUIDs: nobody can sign in as this person. */
export const personIdOf = (source: string, key: string): string => hashOf(source, 'person', key).slice(0, ID_LENGTH);

/** What a post stores as its call. */
export const callOfPost = (source: string, key: string): string => hashOf(source, 'post', key);

/** First in each batch. Guard: of two batches of the source at the same time, one sees what the other has stored. */
export async function takeTurn(db: Db, session: ClientSession, source: string): Promise<SourceDocument> {
  const taken = await networkSources(db).findOneAndUpdate(
    { _id: source },
    { $inc: { turn: 1 } },
    { session, upsert: true, returnDocument: 'after' },
  );
  return taken ?? { _id: source, turn: 1 };
}

/** In the transaction of the posts. */
export async function notePosts(db: Db, session: ClientSession, { _id, has_posts }: SourceDocument): Promise<void> {
  if (!has_posts) await networkSources(db).updateOne({ _id }, { $set: { has_posts: true } }, { session });
}
