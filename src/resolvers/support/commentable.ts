/** What a domain tells about its objects that can be commented on. Declared in `src/resolvers/<domain>/index.ts`. */
import type { HiddenAuthors } from '../../models/comments/comment-list.js';
import type { CommentPolicy } from '../../models/comments/discussion/comment.js';
import type { Subject } from '../../models/comments/discussion/discussion.js';
import type { Context } from '../../server/context/context.js';

/** An object that can be commented on. */
export interface Commented {
  readonly subject: Subject;
  /** As the resolvers of its type get it, with its `__typename`. */
  readonly object: object;
  /** Accounts whose comments on it this caller does not see, for example because one of both has blocked the other. */
  readonly hiddenAuthors?: HiddenAuthors & {
    /** Differs where others are hidden. Empty if nobody is. */
    readonly key: string;
  };
  /** If the caller may cease to see it, or the authors may become others: for those who follow its discussion. */
  readonly guard?: CommentGuard;
}

export interface CommentGuard {
  /**
   * Follows what decides about that, for example the relations of the caller. With each event, also the first, the object is looked up
   * again. Until it is found, no comment is delivered; if it is not, the subscription ends with NOT_FOUND.
   */
  follow(context: Context): Promise<Awaited<ReturnType<Context['hub']['follow']>>>;
}

export interface Commentables {
  /** @returns the objects with these ids that the caller may see, by id */
  find(context: Context, ids: readonly string[]): Promise<ReadonlyMap<string, Commented>>;
  /**
   * Says who may comment on an object of the caller; for editors, on any.
   * @returns the object, or null if there is none that the caller may see @throws SextantError FORBIDDEN
   */
  changePolicy(context: Context, id: string, policy: CommentPolicy): Promise<object | null>;
  /** The address of the object on the public site. */
  urlOf(context: Context, object: object): Promise<string>;
}
