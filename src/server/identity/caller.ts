/** Identifies the sender of a request. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.js';
import { ACCESS_COOKIE, type BrowserSession } from './browser-session.js';
import type { Identities } from './identities.js';
import { type Viewer, visitor, visitorWithBadToken } from './viewer.js';

/** What a transport knows about the sender of an operation. */
export interface Caller {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The caller's address, for throttles and the audit trail. */
  readonly address: string;
  readonly signs: BrowserSigns;
  /** The cookies of a browser; without effect if the transport has none. */
  readonly browser: BrowserSession;
}

/** What a browser says about itself and its page. Programs may say anything. */
export interface BrowserSigns {
  /** Of the page. Null if there is none, as with addresses that are opened. */
  readonly origin: string | null;
  /** Its first 500 characters. Empty if it was not sent, which no browser does. */
  readonly userAgent: string;
  /** Do Not Track or Global Privacy Control. */
  readonly wantsPrivacy: boolean;
}

const USER_AGENT_LENGTH_MAX = 500; // sockets keep it

export const signsOf = ({ headers }: Pick<IncomingMessage, 'headers'>): BrowserSigns => ({
  origin: headers.origin ?? null,
  userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX),
  wantsPrivacy: headers.dnt === '1' || headers['sec-gpc'] === '1',
});

const BEARER = /^Bearer +([\w.~+/=-]+)$/i;

/** The token or key of a header `authorization: Bearer …`. */
export function bearerToken(header: string | undefined): string | null {
  return (header && BEARER.exec(header)?.[1]) ?? null;
}

/** An invalid token makes the viewer a visitor: fields that require a role report it, and signing in or refreshing still works. */
export async function viewerOf(request: FastifyRequest, identities: Identities): Promise<Viewer> {
  const token = bearerToken(request.headers.authorization) ?? request.cookies[ACCESS_COOKIE];
  return visitorOr(token, identities);
}

async function visitorOr(token: string | undefined, identities: Identities): Promise<Viewer> {
  return token ? ((await identities.find(token)) ?? visitorWithBadToken) : visitor;
}

/**
 * For a new socket, where an invalid token is rejected immediately.
 * @param given `authorization` of the client's first message, otherwise of its upgrade
 * @returns null for an invalid token
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
 * The caller's address, also for requests that Fastify has not seen. With TRUST_PROXY=n it is the address that the outermost of n
 * proxies saw. Each proxy appends an entry to X-Forwarded-For; the client may have forged all earlier entries.
 */
export function addressOf({ headers, socket }: IncomingMessage, { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): string {
  const entries = String(headers['x-forwarded-for'] ?? '').split(',');
  const forwarded = entries.map((entry) => entry.trim()).filter(Boolean);
  const trusted = TRUST_PROXY > 0 ? forwarded.slice(-TRUST_PROXY) : [];
  return trusted[0] ?? socket.remoteAddress ?? '';
}

/** The same for Fastify, which counts hops from the connection. */
export const trustHops =
  ({ TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>) =>
  (_address: string, hop: number): boolean =>
    hop < TRUST_PROXY;
