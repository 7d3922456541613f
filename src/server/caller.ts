/** Finds out who sends a request. */
import type { FastifyRequest } from 'fastify';
import type { AccessTokens } from './access-token.js';
import { ACCESS_COOKIE } from './browser-session.js';
import { type Viewer, visitor } from './viewer.js';

const BEARER = /^Bearer +([\w.~+/=-]+)$/i;

/** The token of a header `authorization: Bearer …`. */
export function bearerToken(header: string | undefined): string | null {
  return (header && BEARER.exec(header)?.[1]) ?? null;
}

/** A token that is not good makes a visitor: what needs a role says so, and signing in or renewing still works. */
export async function viewerOf(request: FastifyRequest, accessTokens: AccessTokens): Promise<Viewer> {
  const token = bearerToken(request.headers.authorization) ?? request.cookies[ACCESS_COOKIE];
  return (token && (await accessTokens.verify(token, new Date()))) || visitor;
}
