/** What can be commented on: how the other domains and comments know each other. */
import type { ClientSession, Db } from 'mongodb';

export type CommentPolicy = 'NOBODY' | 'MEMBERS' | 'EVERYBODY';
export type CommentDesign = 'ONE_EACH' | 'EMBEDDED' | 'HYBRID';

/** What is commented on, as far as comments depend on it. Whoever passes it has checked that the caller may see it. */
export interface Subject {
  /** The id of its discussion. */
  readonly discussion: string;
  readonly policy: CommentPolicy;
  /** Why this caller may not comment, if others may. */
  readonly closedBecause?: string;
  /** The design of a new discussion. */
  readonly design: CommentDesign;
  /** Those that it may have. Omitted: all. */
  readonly designs?: readonly CommentDesign[];
  /** The accounts that it belongs to: they may delete any comment on it. */
  readonly ownerIds: readonly string[];
}

/** Comments in a summary. */
export const SUMMARY_MAX = 10;

/** A comment as everybody sees it. */
export interface SummarizedComment {
  readonly number: number;
  /** The numbers from the top of its thread down to its own (`comment.ts`). */
  readonly path: string;
  /** Published replies, one level down. */
  readonly replies: number;
  /** The name of an account is read with it, wherever it is shown. */
  readonly author: { readonly _id?: string; readonly name: string };
  readonly posted: Date;
  readonly edited?: Date;
  /** Null if only the place of its replies is left. */
  readonly text: string | null;
  readonly state: 'PUBLISHED' | 'HIDDEN' | 'DELETED';
}

export interface CommentSummary {
  /** Published comments. */
  readonly count: number;
  /** The latest SUMMARY_MAX that everybody sees, as they were posted. */
  readonly latest: readonly SummarizedComment[];
}

/** What a domain tells about its objects to whoever writes comments without asking for them: imports, exports, moderators. */
export interface CommentHost {
  /** The type in the global ids of its objects, and in the ids of their discussions. */
  readonly type: string;
  /** Not every editor sees its objects: an export of all comments has those on them only for administrators. */
  readonly isPrivate?: boolean;
  /** The design into which its discussions are moved, without an editor, before EMBEDDED is full. Omitted: editors move them. */
  readonly outgrownBy?: CommentDesign;
  /** @returns the objects with these ids that can be commented on, by id */
  find(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Subject>>;
  /**
   * Only if its objects have paths.
   * @param below the id of the object below which the paths are, or null @param path slugs with slashes between them
   */
  findByPath?(db: Db, below: string | null, path: string): Promise<Subject | null>;
  /**
   * An object, and those below it, or all: in an order that stays as long as they do.
   * @param below the id of the object, or null for all
   * @param from the position of the object with which to begin, or null
   */
  walk(db: Db, below: string | null, from: object | null): AsyncIterable<HostedSubject>;
  /**
   * Only if its objects may be deleted while somebody comments. Every write of comments asks first, in its transaction, and stores
   * nothing on an object that is gone.
   */
  isThere?(db: Db, session: ClientSession, id: string): Promise<boolean>;
  /**
   * Only if its objects keep a summary of their discussions: stores it. Called at the end of each transaction that changes what everybody
   * sees, which may run several times.
   */
  summarize?(db: Db, session: ClientSession, id: string, summary: CommentSummary): Promise<void>;
}

export interface HostedSubject {
  readonly subject: Subject;
  /** Its path below the object, or its global id if it has none. Null for the object itself. */
  readonly on: string | null;
  readonly position: object;
}
