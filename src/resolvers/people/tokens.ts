/** The response to a caller who has just proven their identity. */
import type { SignedIn } from '../../models/people/sign-in.js';
import type { Context } from '../../server/context/context.js';
import { personOf } from '../../server/identity/viewer.js';

/** Returns the tokens of a new session, or passes on a refusal. */
export async function answerWithTokens<Refused extends { readonly __typename: string }>(
  context: Context,
  outcome: SignedIn | Refused,
) {
  return 'session' in outcome ? giveTokens(context, outcome) : outcome;
}

/** From here on the operation runs as this user. */
export async function giveTokens(context: Context, { user, session }: SignedIn) {
  const access = await context.accessTokens.issue({ userId: user._id, sessionId: session.id }, context.now());
  context.browser.keep({
    accessToken: access.token,
    accessTokenExpiresAt: access.expiresAt,
    refreshToken: session.refreshToken,
    refreshTokenExpiresAt: session.expiresAt,
  });
  context.viewer = personOf({
    userId: user._id,
    roles: user.roles,
    sessionId: session.id,
    expiresAt: access.expiresAt,
  });
  return {
    __typename: 'SignedIn',
    accessToken: access.token,
    accessTokenExpiresAt: access.expiresAt,
    refreshToken: session.refreshToken,
    viewer: user,
  } as const;
}
