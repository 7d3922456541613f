/** Signing in: starting, renewing and ending sessions. */
import type {
  ChangePasswordResultResolvers,
  MutationResolvers,
  RefreshResultResolvers,
  SignInResultResolvers,
} from '../../generated/resolvers.js';
import { changePassword } from '../../models/people/password-change.js';
import { renewSignIn, signIn } from '../../models/people/sign-in.js';
import { endSession, endSessionOf } from '../../models/people/sign-in-session.js';
import { visitor } from '../../server/identity/viewer.js';
import { refuse } from '../../shared/outcome.js';
import { typeName } from '../support/result-type.js';
import { actOf } from './act.js';
import { answerWithTokens, giveTokens } from './tokens.js';
import { requireAccount } from './viewer.js';

export const SignInResult: SignInResultResolvers = { __resolveType: typeName };
export const RefreshResult: RefreshResultResolvers = { __resolveType: typeName };
export const ChangePasswordResult: ChangePasswordResultResolvers = { __resolveType: typeName };

export const Mutation: Pick<MutationResolvers, 'signIn' | 'refresh' | 'signOut' | 'changePassword'> = {
  signIn: async (_root, { email, password }, context) => {
    const { db, sessionRules, address, now } = context;
    return answerWithTokens(context, await signIn(db, sessionRules, { email, password, address }, now()));
  },
  refresh: async (_root, { refreshToken }, context) => {
    const { db, sessionRules, browser, now } = context;
    const token = refreshToken ?? browser.refreshToken;
    const renewed = token ? await renewSignIn(db, sessionRules, token, now()) : null;
    if (renewed) return giveTokens(context, renewed);
    browser.drop();
    return refuse('RefreshTokenRejected', 'This refresh token is not valid. Sign in again');
  },
  signOut: async (_root, _args, context) => {
    const { db, sessionRules, viewer, browser } = context;
    // The cookie identifies the session even when the access token has expired.
    const signedOut = viewer.sessionId
      ? await endSession(db, viewer.sessionId)
      : browser.refreshToken !== null && (await endSessionOf(db, sessionRules, browser.refreshToken));
    browser.drop();
    context.viewer = visitor;
    return { signedOut };
  },
  changePassword: async (_root, { password, newPassword }, context) => {
    const user = await requireAccount(context);
    const act = actOf(context, user.email);
    const outcome = await changePassword(context.db, context.sessionRules, act, user, { password, newPassword });
    return answerWithTokens(context, outcome);
  },
};
