/** People and their sessions. */
import type { MutationResolvers, QueryResolvers, SignedIn, UserResolvers } from '../../generated/resolvers.js';
import { endSession, endSessionOf, renewSession, type Session } from '../../models/people/session.js';
import { signIn as signInWith } from '../../models/people/sign-in.js';
import { findUser, type UserDocument } from '../../models/people/user.js';
import type { Context } from '../../server/context.js';
import { toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';

export const User: Pick<UserResolvers, 'id' | 'createdAt'> = {
  id: ({ _id }) => toGlobalId('User', _id),
  createdAt: ({ created_at }) => created_at,
};

export const Query: Pick<QueryResolvers, 'viewer'> = {
  viewer: (_root, _args, { db, viewer }) => (viewer.id === null ? null : findUser(db, viewer.id)),
};

export const Mutation: Pick<MutationResolvers, 'signIn' | 'refresh' | 'signOut'> = {
  signIn: async (_root, { email, password }, context) => {
    const { db, sessionRules, address } = context;
    const outcome = await signInWith(db, sessionRules, { email, password, address }, context.now());
    return 'session' in outcome ? giveTokens(context, outcome.user, outcome.session) : outcome;
  },
  refresh: async (_root, { refreshToken }, context) => {
    const { db, sessionRules, browser } = context;
    const token = refreshToken ?? browser.refreshToken;
    const session = token ? await renewSession(db, sessionRules, token, context.now()) : null;
    const user = session && (await findUser(db, session.userId));
    if (user) return giveTokens(context, user, session);
    browser.drop();
    return refuse('RefreshTokenRejected', 'This refresh token is not good (any more). Sign in again');
  },
  signOut: async (_root, _args, { db, sessionRules, viewer, browser }) => {
    // The cookie names the session also when the access token has expired.
    const signedOut = viewer.sessionId
      ? await endSession(db, viewer.sessionId)
      : browser.refreshToken !== null && (await endSessionOf(db, sessionRules, browser.refreshToken));
    browser.drop();
    return { signedOut };
  },
};

async function giveTokens(context: Context, user: UserDocument, session: Session) {
  const access = await context.accessTokens.issue(
    { userId: user._id, roles: user.roles, sessionId: session.id },
    context.now(),
  );
  context.browser.keep({
    accessToken: access.token,
    accessTokenExpiresAt: access.expiresAt,
    refreshToken: session.refreshToken,
    refreshTokenExpiresAt: session.expiresAt,
  });
  return {
    __typename: 'SignedIn' satisfies SignedIn['__typename'],
    accessToken: access.token,
    accessTokenExpiresAt: access.expiresAt,
    refreshToken: session.refreshToken,
    viewer: user,
  } as const;
}
