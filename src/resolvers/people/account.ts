/** User accounts: how they are created, and how their owners delete them. */
import type {
  AcceptInvitationResultResolvers,
  ConfirmSignUpResultResolvers,
  DeleteAccountResultResolvers,
  InvitationResolvers,
  InviteResultResolvers,
  MutationResolvers,
  QueryResolvers,
  SignUpResultResolvers,
} from '../../generated/resolvers.js';
import { deleteAccount } from '../../models/people/account-deletion.js';
import { acceptInvitation, findInvitations, invite, withdrawInvitation } from '../../models/people/invitation.js';
import { confirmSignUp, signUpWith } from '../../models/people/sign-up.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { resultType, typeName } from '../support/result-type.js';
import { actOf, actOfViewer } from './act.js';
import { answerWithTokens } from './tokens.js';
import { requireAccount } from './viewer.js';

export const SignUpResult: SignUpResultResolvers = { __resolveType: typeName };
export const ConfirmSignUpResult: ConfirmSignUpResultResolvers = { __resolveType: typeName };
export const AcceptInvitationResult: AcceptInvitationResultResolvers = { __resolveType: typeName };
export const InviteResult: InviteResultResolvers = { __resolveType: typeName };
export const DeleteAccountResult: DeleteAccountResultResolvers = { __resolveType: resultType('UserDeleted') };

export const Invitation: InvitationResolvers = {
  id: ({ _id }) => toGlobalId('Invitation', _id),
  email: ({ _id }) => _id,
  createdAt: ({ created_at }) => created_at,
  expiresAt: ({ expires_at }) => expires_at,
};

const signUpModes = { closed: 'CLOSED', verified: 'VERIFIED', open: 'OPEN' } as const;

export const Query: Pick<QueryResolvers, 'signUpMode' | 'invitations'> = {
  signUpMode: (_root, _args, { config }) => signUpModes[config.SIGN_UP],
  invitations: (_root, _args, { db, now }) => findInvitations(db, now()),
};

export const Mutation: Pick<
  MutationResolvers,
  'signUp' | 'confirmSignUp' | 'invite' | 'withdrawInvitation' | 'acceptInvitation' | 'deleteAccount'
> = {
  signUp: async (_root, { input }, context) => {
    const { config, db, sessionRules, address, now, mailer } = context;
    const rules = { mode: config.SIGN_UP, sessions: sessionRules, send: mailer.send };
    return answerWithTokens(context, await signUpWith(db, rules, { ...input, address }, now()));
  },
  confirmSignUp: async (_root, args, context) =>
    answerWithTokens(context, await confirmSignUp(context.db, context.sessionRules, args, context.now())),
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
  deleteAccount: async (_root, { password }, context) => {
    const user = await requireAccount(context);
    const outcome = await deleteAccount(context.db, actOf(context, user.email), user, password);
    if ('deletedId' in outcome) context.browser.drop();
    return outcome;
  },
};
