/** The session of a browser: its tokens in cookies that scripts cannot read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.js';

export const ACCESS_COOKIE = 'sextant_access';
const REFRESH_COOKIE = 'sextant_refresh';

/** How resolvers reach a browser's cookies without knowing about HTTP. */
export interface BrowserSession {
  /** Null if there is none. */
  readonly refreshToken: string | null;
  keep(tokens: SessionTokens): void;
  drop(): void;
}

export interface SessionTokens {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: Date;
  readonly refreshToken: string;
  readonly refreshTokenExpiresAt: Date;
}

/** For transports that cannot set cookies. */
export const noBrowserSession: BrowserSession = { refreshToken: null, keep: () => undefined, drop: () => undefined };

export function cookieSession(request: FastifyRequest, reply: FastifyReply, config: Config): BrowserSession {
  // Lax: a link from another site opens a signed-in page, but a form or script of another site is not signed in.
  const access = { ...COMMON, secure: isSecure(config), path: '/' } as const;
  // Strict and narrow: only the API needs it.
  const refresh = { ...COMMON, secure: isSecure(config), sameSite: 'strict', path: '/graphql' } as const;
  return {
    refreshToken: request.cookies[REFRESH_COOKIE] ?? null,
    keep: (tokens) => {
      reply.setCookie(ACCESS_COOKIE, tokens.accessToken, { ...access, expires: tokens.accessTokenExpiresAt });
      reply.setCookie(REFRESH_COOKIE, tokens.refreshToken, { ...refresh, expires: tokens.refreshTokenExpiresAt });
    },
    drop: () => {
      reply.clearCookie(ACCESS_COOKIE, access);
      reply.clearCookie(REFRESH_COOKIE, refresh);
    },
  };
}

const COMMON = { httpOnly: true, sameSite: 'lax' } as const;

const isSecure = ({ PUBLIC_URL }: Config): boolean => PUBLIC_URL?.startsWith('https:') ?? false;
