/** Users: their names, roles and deletion. */
import type {
  DeleteAccountResultResolvers,
  DeleteUserResultResolvers,
  MutationResolvers,
  QueryResolvers,
  UserResolvers,
} from '../../generated/resolvers.js';
import { deleteAccount, deleteUser } from '../../models/people/account-deletion.js';
import { grantRole, revokeRole } from '../../models/people/role.js';
import { changeName, findUsers, type UserDocument } from '../../models/people/user.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { resultType } from '../support/result-type.js';
import { actOf, actOfViewer } from './act.js';
import { findViewer, requireAccount } from './viewer.js';

export const User: Pick<UserResolvers, 'id' | 'createdAt'> = {
  id: ({ _id }) => toGlobalId('User', _id),
  createdAt: ({ created_at }) => created_at,
};

export const UserDeleted = {
  id: ({ deletedId }: { readonly deletedId: string }) => toGlobalId('User', deletedId),
};

export const DeleteUserResult: DeleteUserResultResolvers = { __resolveType: resultType('UserDeleted') };
export const DeleteAccountResult: DeleteAccountResultResolvers = { __resolveType: resultType('UserDeleted') };

export const Query: Pick<QueryResolvers, 'viewer' | 'people'> = {
  viewer: (_root, _args, context) => findViewer(context),
  people: (_root, { first, after, emailPrefix }, { db }) => findUsers(db, emailPrefix, { first, after }),
};

export const Mutation: Pick<
  MutationResolvers,
  'changeName' | 'grantRole' | 'revokeRole' | 'deleteUser' | 'deleteAccount'
> = {
  changeName: async (_root, { name }, context) => {
    const { _id } = await requireAccount(context);
    return found(await changeName(context.db, _id, name, context.personalData));
  },
  grantRole: async (_root, { userId, role }, context) =>
    found(await grantRole(context.db, await actOfViewer(context), idOfType('User', userId) ?? '', role)),
  revokeRole: async (_root, { userId, role }, context) =>
    found(await revokeRole(context.db, await actOfViewer(context), idOfType('User', userId) ?? '', role)),
  deleteUser: async (_root, { userId }, context) => {
    const id = idOfType('User', userId);
    if (id === null) return refuse('UserNotFound', 'No account has this id');
    return deleteUser(context.db, await actOfViewer(context), id, context.personalData);
  },
  deleteAccount: async (_root, { password }, context) => {
    const user = await requireAccount(context);
    const act = actOf(context, user.email);
    const outcome = await deleteAccount(context.db, act, user, password, context.personalData);
    if ('deletedId' in outcome) context.browser.drop();
    return outcome;
  },
};

/** @throws SextantError NOT_FOUND */
function found(user: UserDocument | null): UserDocument {
  if (user) return user;
  throw new SextantError('NOT_FOUND', 'No account has this id');
}
