/** Invitations, and the accounts that are created from them. */
import type {
  AcceptInvitationResultResolvers,
  InvitationResolvers,
  InviteResultResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../../generated/resolvers.js';
import { acceptInvitation, findInvitations, invite, withdrawInvitation } from '../../models/people/invitation.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { typeName } from '../support/result-type.js';
import { actOfViewer } from './act.js';
import { answerWithTokens } from './tokens.js';

export const InviteResult: InviteResultResolvers = { __resolveType: typeName };
export const AcceptInvitationResult: AcceptInvitationResultResolvers = { __resolveType: typeName };

export const Invitation: InvitationResolvers = {
  id: ({ _id }) => toGlobalId('Invitation', _id),
  email: ({ _id }) => _id,
  createdAt: ({ created_at }) => created_at,
  expiresAt: ({ expires_at }) => expires_at,
};

export const Query: Pick<QueryResolvers, 'invitations'> = {
  invitations: (_root, _args, { db, now }) => findInvitations(db, now()),
};

export const Mutation: Pick<MutationResolvers, 'invite' | 'withdrawInvitation' | 'acceptInvitation'> = {
  invite: async (_root, { input: { email, roles } }, context) => {
    const invited = await invite(context.db, await actOfViewer(context), { email, roles: roles ?? ['MEMBER'] });
    if ('__typename' in invited) return invited;
    const link = `${context.publicUrl()}/invitation#${invited.token}`; // after `#`: browsers keep it out of logs and referrers
    return { __typename: 'Invited', ...invited, link } as const;
  },
  withdrawInvitation: async (_root, { id }, context) => {
    const email = idOfType('Invitation', id);
    if (email === null) return { withdrawn: false };
    return { withdrawn: await withdrawInvitation(context.db, await actOfViewer(context), email) };
  },
  acceptInvitation: async (_root, { input }, context) =>
    answerWithTokens(context, await acceptInvitation(context.db, context.sessionRules, input, context.now())),
};
