/** Profiles, followers and blocks. */
import type {
  AuthorResolvers,
  BlockPersonResultResolvers,
  MutationResolvers,
  ProfileResolvers,
  QueryResolvers,
} from '../../generated/resolvers.js';
import { blockPerson, findBlocked, unblockPerson } from '../../models/social/network/block.js';
import { findFollowers } from '../../models/social/network/follower.js';
import { profileNotFound } from '../../models/social/network/following.js';
import { findBlockableProfile, findProfiles, saveProfile } from '../../models/social/network/profile.js';
import { findWall } from '../../models/social/news/wall-list.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { mapConnection } from '../../shared/page.js';
import { findViewer } from '../people/viewer.js';
import { resultType } from '../support/result-type.js';
import { circlesOfViewer } from './circle.js';
import { asAuthor, personIdOf, profileOf } from './people.js';

export const Profile: ProfileResolvers = {
  id: ({ _id }) => toGlobalId('User', _id),
  joinedAt: ({ joined }) => joined,
  picture: async ({ picture_id }, _args, { loaders }) =>
    picture_id === undefined ? null : loaders().asset.load(picture_id),
  followerCount: ({ follower_count }) => follower_count,
  followingCount: ({ following_count }) => following_count,
  myCircles: ({ myCircles }, _args, context) => circlesOfViewer(myCircles, context),
  wall: ({ _id }, { first, after }, { db, viewer }) => findWall(db, viewer.id, _id, { first, after }),
};

export const Author: Pick<AuthorResolvers, 'profile'> = {
  profile: ({ _id }, _args, context) => (_id === undefined ? null : profileOf(_id, context)),
};

export const BlockPersonResult: BlockPersonResultResolvers = { __resolveType: resultType('Profile') };

export const Query: Pick<QueryResolvers, 'profile' | 'findProfiles' | 'followers' | 'blockedPeople'> = {
  profile: (_root, { userId }, context) => {
    const id = userId == null ? context.viewer.id : personIdOf(userId);
    return id === null ? null : profileOf(id, context);
  },
  findProfiles: (_root, { namePrefix, first, after }, { db, viewer }) =>
    findProfiles(db, requirePerson(viewer), namePrefix, { first, after }),
  followers: async (_root, { first, after }, context) =>
    mapConnection(await findFollowers(context.db, requirePerson(context.viewer), { first, after }), ({ id }) =>
      asAuthor(id, context),
    ) as never,
  blockedPeople: async (_root, _args, context) =>
    Promise.all((await findBlocked(context.db, requirePerson(context.viewer))).map((id) => asAuthor(id, context))),
};

export const Mutation: Pick<MutationResolvers, 'saveProfile' | 'blockPerson' | 'unblockPerson'> = {
  saveProfile: async (_root, { input }, context) => {
    const id = requirePerson(context.viewer);
    const name = (await findViewer(context))?.name ?? '';
    const picture = input.pictureId ? (idOfType('Asset', input.pictureId) ?? '') : null;
    const profile = {
      about: input.about ?? '',
      place: input.place ?? '',
      interests: input.interests ?? [],
      picture,
    };
    await saveProfile(context.db, { id, name }, profile, context.now());
    return requireProfile(id, context);
  },
  blockPerson: async (_root, { userId }, context) => {
    const [own, id] = [requirePerson(context.viewer), personIdOf(userId)];
    const outcome = await blockPerson(context.db, own, id, context.now());
    if ('blocked' in outcome) context.courier.wake();
    return 'blocked' in outcome ? ((await findBlockableProfile(context.db, own, id)) ?? profileNotFound()) : outcome;
  },
  unblockPerson: async (_root, { userId }, context) => {
    const [own, id] = [requirePerson(context.viewer), personIdOf(userId)];
    const outcome = await unblockPerson(context.db, own, id);
    return 'blocked' in outcome ? ((await findBlockableProfile(context.db, own, id)) ?? profileNotFound()) : outcome;
  },
};

async function requireProfile(id: string, context: Context) {
  const profile = await profileOf(id, context);
  if (!profile) throw new SextantError('NOT_FOUND', 'The account was deleted');
  return profile;
}
