/** What can be commented on: how the other domains and comments know each other. */
import type { Db } from 'mongodb';

export type CommentPolicy = 'NOBODY' | 'MEMBERS' | 'EVERYBODY';
export type CommentDesign = 'ONE_EACH' | 'EMBEDDED' | 'HYBRID';

/** What is commented on, as far as comments depend on it. Whoever passes it has checked that the caller may see it. */
export interface Subject {
  /** The id of its discussion. */
  readonly discussion: string;
  readonly policy: CommentPolicy;
  /** The design of a new discussion. */
  readonly design: CommentDesign;
  /** Those that it may have. Omitted: all. */
  readonly designs?: readonly CommentDesign[];
  /** The accounts that it belongs to: they may delete any comment on it. */
  readonly ownerIds: readonly string[];
}

/** What a domain tells about its objects for work that nobody waits for: imports and exports. */
export interface CommentHost {
  /** The type in the global ids of its objects, and in the ids of their discussions. */
  readonly type: string;
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
}

export interface HostedSubject {
  readonly subject: Subject;
  /** Its path below the object, or its global id if it has none. Null for the object itself. */
  readonly on: string | null;
  readonly position: object;
}
