/** Who gets a post, and how far it has come. */
import type {
  FanOutResolvers,
  MutationResolvers,
  NewsRebuildResolvers,
  QueryResolvers,
} from '../../generated/resolvers.js';
import { findDelivery, type PostDelivery } from '../../models/social/delivery/delivery.js';
import { findPerson } from '../../models/social/network/person.js';
import { previewAudience } from '../../models/social/news/fan-out.js';
import { startRebuild } from '../../models/social/news/news-rebuild.js';
import { explainVisibility } from '../../models/social/posts/post-sight.js';
import type { Context } from '../../server/context/context.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import { InputError, SextantError } from '../../shared/errors.js';
import { toGlobalId } from '../../shared/global-id.js';
import { actOfViewer } from '../people/act.js';
import { signedIn } from '../support/access.js';
import type { NodeFinder } from '../support/domain-resolvers.js';
import { workFields } from '../support/work.js';
import { circleIdOf } from './circle.js';
import { personIdOf } from './people.js';
import { postIdOf } from './post.js';

export const FanOut: FanOutResolvers = {
  id: ({ _id }) => toGlobalId('FanOut', _id),
  total: ({ total }) => total ?? null,
  startedAt: ({ started }) => started ?? null,
  finishedAt: ({ finished }) => finished ?? null,
  failure: ({ failure }) => failure ?? null,
};

export const NewsRebuild: NewsRebuildResolvers = { ...workFields, wrong: ({ wrong }) => wrong ?? 0 };

export const fanOutNode: NodeFinder = { mayAsk: signedIn, find: (context, id) => findFanOut(context, id) };

/** Of a post of the viewer; for administrators, of any. */
async function findFanOut({ db, viewer }: Context, id: string): Promise<PostDelivery | null> {
  const found = await findDelivery(db, id);
  if (found?.kind !== 'POST') return null;
  return found.author_id === viewer.id || hasRole(viewer, 'ADMIN') ? found : null;
}

export const Query: Pick<QueryResolvers, 'audiencePreview' | 'explainVisibility' | 'fanOut'> = {
  audiencePreview: (_root, { audience, circleIds }, { db, viewer }) => {
    const author = requirePerson(viewer);
    const circles = circleIds.map((id) => circleIdOf(author, id) ?? '');
    return previewAudience(db, author, audience, circles);
  },
  explainVisibility: async (_root, { postId, readerId }, { db, viewer }) => {
    const reader = readerId === null || readerId === undefined ? null : personIdOf(readerId);
    if (reader === '') throw new InputError('readerId', 'is not the id of an account');
    return explainVisibility(db, postIdOf(postId), reader, hasRole(viewer, 'ADMIN') ? null : requirePerson(viewer));
  },
  fanOut: (_root, { postId }, context) => findFanOut(context, postIdOf(postId)),
};

export const Mutation: Pick<MutationResolvers, 'rebuildNews'> = {
  rebuildNews: async (_root, { userId }, context) => {
    const { db, viewer } = context;
    const person = personIdOf(userId);
    if (!(await findPerson(db, person))) throw new SextantError('NOT_FOUND', 'Nobody in the network has this id');
    const started = await startRebuild(db, await actOfViewer(context), requirePerson(viewer), person);
    context.work.wake();
    return started;
  },
};
