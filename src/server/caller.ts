/** Finds out who sends a request. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { ACCESS_COOKIE } from './browser-session.js';
import type { Identities } from './identities.js';
import { type Viewer, visitor, visitorWithBadToken } from './viewer.js';

const BEARER = /^Bearer +([\w.~+/=-]+)$/i;

/** The token or key of a header `authorization: Bearer …`. */
export function bearerToken(header: string | undefined): string | null {
  return (header && BEARER.exec(header)?.[1]) ?? null;
}

/** A token that is not good makes a visitor too: what needs a role says so, and signing in or renewing still works. */
export async function viewerOf(request: FastifyRequest, identities: Identities): Promise<Viewer> {
  const token = bearerToken(request.headers.authorization) ?? request.cookies[ACCESS_COOKIE];
  return visitorOr(token, identities);
}

async function visitorOr(token: string | undefined, identities: Identities): Promise<Viewer> {
  return token ? ((await identities.find(token)) ?? visitorWithBadToken) : visitor;
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
  if (typeof given === 'string') return identities.find(bearerToken(given) ?? given);
  return visitorOr(cookies[ACCESS_COOKIE], identities);
}

/**
 * The caller's address, also where Fastify has not seen the request: with TRUST_PROXY=n, what the n-th proxy before us was asked from.
 * Each proxy adds an entry at the end of X-Forwarded-For; whatever stands before ours, the client may have written itself.
 */
export function addressOf({ headers, socket }: IncomingMessage, { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): string {
  const entries = String(headers['x-forwarded-for'] ?? '').split(',');
  const forwarded = entries.map((entry) => entry.trim()).filter(Boolean);
  const trusted = TRUST_PROXY > 0 ? forwarded.slice(-TRUST_PROXY) : [];
  return trusted[0] ?? socket.remoteAddress ?? '';
}

/** The same for Fastify, whose addresses count from the connection on. */
export const trustHops =
  ({ TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>) =>
  (_address: string, hop: number): boolean =>
    hop < TRUST_PROXY;
