/** Finds out who sends a request. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { ACCESS_COOKIE } from './browser-session.js';
import type { Identities } from './identities.js';
import { type Viewer, visitor } from './viewer.js';

const BEARER = /^Bearer +([\w.~+/=-]+)$/i;

/** The token or key of a header `authorization: Bearer …`. */
export function bearerToken(header: string | undefined): string | null {
  return (header && BEARER.exec(header)?.[1]) ?? null;
}

/** A token that is not good makes a visitor: what needs a role says so, and signing in or renewing still works. */
export async function viewerOf(request: FastifyRequest, identities: Identities): Promise<Viewer> {
  const token = bearerToken(request.headers.authorization) ?? request.cookies[ACCESS_COOKIE];
  return (token && (await identities.find(token, new Date()))) || visitor;
}

/**
 * At the beginning of a socket, where a token that is not good is told at once.
 * @param given `authorization` of the client's first message, else of its upgrade
 * @returns null for a token that is not good
 */
export async function viewerOfSocket(
  given: unknown,
  cookies: Readonly<Record<string, string | undefined>>,
  identities: Identities,
): Promise<Viewer | null> {
  if (typeof given === 'string') return identities.find(bearerToken(given) ?? given, new Date());
  const token = cookies[ACCESS_COOKIE];
  return (token && (await identities.find(token, new Date()))) || visitor;
}

/** The caller's address, before Fastify has seen the request: that of a proxy is believed only where the configuration says so. */
export function addressOf({ headers, socket }: IncomingMessage, { TRUST_PROXY }: Config): string {
  const forwarded =
    TRUST_PROXY &&
    String(headers['x-forwarded-for'] ?? '')
      .split(',', 1)[0]
      ?.trim();
  return forwarded || (socket.remoteAddress ?? '');
}
