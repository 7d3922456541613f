/** Finds what is commented on, in whichever domain that is on. */
import type { CommentPolicy } from '../../models/comments/discussion/comment.js';
import { subjectOfDiscussion } from '../../models/comments/discussion/discussion.js';
import type { Context } from '../../server/context/context.js';
import { fromGlobalId } from '../../shared/global-id.js';
import { groupBy } from '../../shared/group-by.js';
import type { Commentables, Commented } from '../support/commentable.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';

export class Subjects {
  readonly #byType: ReadonlyMap<string, Commentables>;

  constructor(domains: readonly Pick<DomainResolvers, 'commentables'>[]) {
    this.#byType = new Map(domains.flatMap(({ commentables }) => Object.entries(commentables ?? {})));
  }

  /** @returns null if there is no such object, or the caller may not see it */
  async find(context: Context, globalId: string): Promise<Commented | null> {
    const { type, id } = fromGlobalId(globalId) ?? {};
    return type && id ? this.#findOne(context, type, id) : null;
  }

  /** What a discussion is about. */
  async of(context: Context, discussion: string): Promise<Commented | null> {
    const { type, id } = subjectOfDiscussion(discussion);
    return this.#findOne(context, type, id);
  }

  /** What several discussions are about, with one read for each type. */
  async ofAll(context: Context, discussions: readonly string[]): Promise<ReadonlyMap<string, Commented>> {
    const parts = [...new Set(discussions)].map((discussion) => ({ discussion, ...subjectOfDiscussion(discussion) }));
    const found = new Map<string, Commented>();
    for (const [type, some] of groupBy(parts, (part) => part.type)) {
      const commented = await this.#byType.get(type)?.find(
        context,
        some.map(({ id }) => id),
      );
      for (const { discussion, id } of some) {
        const one = commented?.get(id);
        if (one) found.set(discussion, one);
      }
    }
    return found;
  }

  /** @returns the object, or null if there is none that the caller may see @throws SextantError FORBIDDEN */
  async changePolicy(context: Context, globalId: string, policy: CommentPolicy): Promise<object | null> {
    const { type, id } = fromGlobalId(globalId) ?? {};
    return (type && id && (await this.#byType.get(type)?.changePolicy(context, id, policy))) || null;
  }

  /** The address of what a discussion is about, on the public site. */
  async urlOf(context: Context, discussion: string, object: object): Promise<string> {
    const { type } = subjectOfDiscussion(discussion);
    return (await this.#byType.get(type)?.urlOf(context, object)) ?? context.publicUrl();
  }

  async #findOne(context: Context, type: string, id: string): Promise<Commented | null> {
    const found = await this.#byType.get(type)?.find(context, [id]);
    return found?.get(id) ?? null;
  }
}
