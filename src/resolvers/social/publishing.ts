/** Publishing posts, also about objects of other domains, as far as the author sees them. */
import type { MutationResolvers, PostInput, PostResolvers } from '../../generated/resolvers.js';
import { POST_TYPE } from '../../models/social/posts/post-comments.js';
import type { PostInput as NewPostInput } from '../../models/social/posts/post-input.js';
import { briefOfPublishing, publishPost } from '../../models/social/posts/publishing.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { fromGlobalId, idOfType } from '../../shared/global-id.js';
import type { DomainResolvers, NodeFinder, ResolverModule } from '../support/domain-resolvers.js';
import { runOnce } from '../support/once.js';
import { circleIdOf } from './circle.js';
import { personIdOf } from './people.js';

/** @param domains those that are on: a post may be about any object that `node(id:)` finds for the reader, except a comment, which has replies */
export function publishingModule(domains: readonly Pick<DomainResolvers, 'nodes'>[]): ResolverModule {
  const finders = new Map(domains.flatMap(({ nodes }) => Object.entries(nodes)));

  const Post: Pick<PostResolvers, 'about'> = {
    about: async ({ about }, _args, context) =>
      about === undefined ? null : (unfolded(await findObject(finders, about, context)) as never),
  };

  const Mutation: Pick<MutationResolvers, 'publishPost'> = {
    publishPost: async (_root, { input, idempotencyKey: key }, context) => {
      const author = requirePerson(context.viewer);
      const { aboutId } = input;
      const about =
        aboutId == null
          ? null
          : { id: aboutId, isSeen: async () => (await findObject(finders, aboutId, context)) !== null };
      const wall = input.onWallOf == null ? author : personIdOf(input.onWallOf);
      const wanted = { author, wall, about, input: asNewPost(author, input) };
      const outcome = await runOnce(
        context,
        { operation: 'publishPost', key, input },
        (_call, now, _begunAt, attempt) => publishPost(context.db, { ...wanted, attempt, now }),
        briefOfPublishing(context.db),
      );
      if ('_id' in outcome) context.courier.wake();
      return outcome;
    },
  };
  return { Post, Mutation };
}

interface FoundObject {
  readonly __typename: string;
}

/** @returns the object with the name of its type; null if the viewer does not see it */
async function findObject(
  finders: ReadonlyMap<string, NodeFinder>,
  globalId: string,
  context: Context,
): Promise<FoundObject | null> {
  const { type = '', id = '' } = fromGlobalId(globalId) ?? {};
  const finder = finders.get(type);
  if (!finder?.mayAsk(context, id)) return null;
  const found = await finder.find(context, id);
  return found && { __typename: type, ...found };
}

/** Without what a post is about itself: lists follow their own posts, and not what those lead to. */
const unfolded = (object: FoundObject | null): object | null =>
  object?.__typename === POST_TYPE ? { ...object, about: undefined } : object;

/** A circle of somebody else is passed on as one that does not exist. */
const asNewPost = (author: string, input: PostInput): NewPostInput => ({
  type: input.type ?? 'STATUS',
  text: input.text ?? '',
  audience: input.audience ?? 'MY_CIRCLES',
  circles: (input.circleIds ?? []).map((id) => circleIdOf(author, id) ?? ''),
  image: input.imageId ? (idOfType('Asset', input.imageId) ?? '') : null,
  description: input.description,
  url: input.url,
  title: input.title,
  latitude: input.latitude,
  longitude: input.longitude,
  poll: input.poll && {
    question: input.poll.question,
    options: input.poll.options,
    closes: input.poll.closesAt ?? null,
  },
});
