/**
 * The viewer's session. The tokens are HttpOnly cookies that no script can read; this module keeps only what a page must
 * know about them. One tab at a time refreshes the session: using a refresh token twice would end it.
 */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { GraphQLFormattedError } from 'graphql';
import { stringifyDocument } from 'urql';
import { graphql } from '../../generated/gql.js';
import type {
  ChangePasswordMutation,
  PersonFragment,
  SessionFragment,
  SignInMutation,
} from '../../generated/graphql.js';
import { explainGraphQLError } from '../kit/base/errors.js';
import { createStore } from '../kit/base/store.js';
import { fetchPatiently } from './busy-server.js';
import { PERSONAL } from './personal.js';

export type Viewer = PersonFragment;

export const ENDPOINT = '/graphql';

/** Undefined until the server has identified the viewer; null for a visitor. */
export const viewerStore = createStore<Viewer | null | undefined>(undefined);

/** The domains that the server runs. Null until the server has listed them. */
export const domainsStore = createStore<readonly string[] | null>(null);

graphql(`
  fragment Person on User { id email name roles createdAt }
`);

graphql(`
  fragment Session on SignedIn { accessTokenExpiresAt viewer { ...Person } }
`);

const ViewerDocument = graphql(`
  query Viewer {
    viewer { ...Person }
    domains
  }
`);

const SignInDocument = graphql(`
  mutation SignIn($email: EmailAddress!, $password: String!) {
    signIn(email: $email, password: $password) {
      __typename
      ...Session
      ... on Refusal { message }
      ... on SignInThrottled { retryAfterMs }
    }
  }
`);

const RefreshDocument = graphql(`
  mutation Refresh {
    refresh {
      __typename
      ...Session
      ... on Refusal { message }
    }
  }
`);

const ChangePasswordDocument = graphql(`
  mutation ChangePassword($password: String!, $newPassword: String!) {
    changePassword(password: $password, newPassword: $newPassword) {
      __typename
      ...Session
      ... on Refusal { message }
      ... on SignInThrottled { retryAfterMs }
    }
  }
`);

const SignOutDocument = graphql(`
  mutation SignOut {
    signOut { signedOut }
  }
`);

/** When the access cookie expires, shared by all tabs. If absent, this browser has no session. */
const EXPIRY_KEY = 'sextant.session.until';
/** A token that expires sooner than this is renewed immediately, so that the next request does not fail. */
const EXPIRY_MARGIN_MS = 15_000;

const readExpiry = () => Number(localStorage.getItem(EXPIRY_KEY) ?? 0);

export function begin(session: SessionFragment): void {
  localStorage.setItem(EXPIRY_KEY, String(Date.parse(session.accessTokenExpiresAt)));
  know(session.viewer);
}

export function end(): void {
  localStorage.removeItem(EXPIRY_KEY);
  know(null);
}

/** @param viewer may be the same user as before with another name or other roles */
export function know(viewer: Viewer | null): void {
  const known = viewerStore.get();
  if (JSON.stringify(known) === JSON.stringify(viewer)) return;
  if (known && known.id !== viewer?.id)
    window.location.reload(); // the next user must not see data of the previous one
  else viewerStore.set(viewer);
}

function knowDomains(domains: readonly string[]): void {
  if (JSON.stringify(domainsStore.get()) !== JSON.stringify(domains)) domainsStore.set(domains);
}

/**
 * Sends a request with the current cookies, without renewing the session.
 * @throws TypeError the server cannot be reached; Error it responded with an error
 */
export async function ask<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const answer = await fetchPatiently(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' },
    body: JSON.stringify({ query: stringifyDocument(document), variables }),
  });
  const { data, errors } = (await answer.json().catch(() => ({}))) as {
    data?: Data;
    errors?: GraphQLFormattedError[];
  };
  if (!data)
    throw new Error(errors?.[0] ? explainGraphQLError(errors[0]) : `The server responded with status ${answer.status}`);
  return data;
}

/**
 * Finds the viewer and the server's domains, and renews a session whose access token has expired.
 * @throws if the server cannot be reached
 */
export async function findViewer(): Promise<void> {
  const found = await ask(ViewerDocument, {}).catch((error) => {
    if (readExpiry() > 0 && !(error instanceof TypeError)) return null; // an expired token
    throw error;
  });
  if (found) knowDomains(found.domains);
  if (found?.viewer) know(found.viewer);
  else if (readExpiry() === 0 || !(await refreshSession())) know(null);
  if (!found) knowDomains((await ask(ViewerDocument, {})).domains);
}

export type SignInAnswer = SignInMutation['signIn'];

export async function signIn(email: string, password: string): Promise<SignInAnswer> {
  const { signIn: answer } = await ask(SignInDocument, { email, password });
  if (answer.__typename === 'SignedIn') begin(answer);
  return answer;
}

/**
 * Starts a new session and ends all others. Serialized with renewals: a renewal with an old token would end the new
 * session.
 */
export async function changePassword(
  password: string,
  newPassword: string,
): Promise<ChangePasswordMutation['changePassword']> {
  await keepSession();
  return inTurn(async () => {
    const { changePassword: answer } = await ask(ChangePasswordDocument, { password, newPassword });
    if (answer.__typename === 'SignedIn') begin(answer);
    return answer;
  });
}

/** Not when a session merely ends: the person will want it back after signing in again. */
export function forgetPersonal(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PERSONAL)) localStorage.removeItem(key);
}

export async function signOut(): Promise<void> {
  await ask(SignOutDocument, {});
  forgetPersonal();
  end();
}

// Tabs share what they learn about the session: that it ended, that another user signed in, that roles changed.
window.addEventListener('storage', ({ key }) => {
  if (key === EXPIRY_KEY) void findViewer().catch(() => {});
});

let refreshing: Promise<boolean> | undefined;

/** Renews the session, once for all concurrent callers in all tabs. @returns whether a user is signed in afterwards */
export function refreshSession(): Promise<boolean> {
  refreshing ??= inTurn(async () => {
    if (readExpiry() > Date.now() + EXPIRY_MARGIN_MS && readExpiry() !== staleExpiry) return true; // another tab was first
    const { refresh } = await ask(RefreshDocument, {});
    if (refresh.__typename !== 'SignedIn') {
      end();
      return false;
    }
    begin(refresh);
    return true;
  }).finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** The expiry of a token that the server refused before it expired: this token must be renewed even so. */
let staleExpiry = 0;

/** Renews a session that the server no longer accepts. */
export async function replaceRefusedSession(): Promise<boolean> {
  staleExpiry = readExpiry();
  if (staleExpiry === 0) {
    end();
    return false;
  }
  return refreshSession();
}

let turn: Promise<unknown> = Promise.resolve();

/** Web Locks are missing on insecure origins: tabs then race, and the loser must sign in again. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if ('locks' in navigator) return navigator.locks.request('sextant.session', work);
  const done = turn.then(work, work);
  turn = done;
  return done;
}

/** Renews the session if it is about to expire. Call before requests that are expensive to send twice. */
export async function keepSession(): Promise<void> {
  const expiry = readExpiry();
  if (expiry > 0 && expiry < Date.now() + EXPIRY_MARGIN_MS) await refreshSession();
}

/** `fetch` for GraphQL: renews an expired session and retries. */
export async function fetchInSession(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  await keepSession();
  const answer = await fetchPatiently(input, init);
  const body = await answer.clone().text();
  if (hasError(body, 'FORBIDDEN')) void findViewer().catch(() => {}); // a role may have been revoked
  return hasError(body, 'UNAUTHENTICATED') && (await replaceRefusedSession()) ? fetchPatiently(input, init) : answer;
}

function hasError(body: string, code: string): boolean {
  if (!body.includes(`"${code}"`)) return false; // saves most responses a second parse
  const { errors } = JSON.parse(body) as { errors?: GraphQLFormattedError[] };
  return errors?.some((error) => error.extensions?.code === code) ?? false;
}
