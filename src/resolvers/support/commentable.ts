/** What a domain tells about its objects that can be commented on. Declared in `src/resolvers/<domain>/index.ts`. */
import type { CommentPolicy } from '../../models/comments/discussion/comment.js';
import type { Subject } from '../../models/comments/discussion/discussion.js';
import type { Context } from '../../server/context/context.js';

/** An object that can be commented on. */
export interface Commented {
  readonly subject: Subject;
  /** As the resolvers of its type get it, with its `__typename`. */
  readonly object: object;
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
