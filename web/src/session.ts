/**
 * Who is signed in. The tokens are HttpOnly cookies that no script can read; here is only what a page must know of them.
 * A session is renewed by one tab at a time: using a refresh token twice would end it.
 */
import { stringifyDocument } from 'urql';
import { graphql } from '../generated/gql.js';
import type { SignInMutation, ViewerQuery } from '../generated/graphql.js';
import { createStore } from './parts/store.js';

export type Viewer = NonNullable<ViewerQuery['viewer']>;

export const ENDPOINT = '/graphql';

/** Undefined until the server has said who is here; null for a visitor. */
export const viewerStore = createStore<Viewer | null | undefined>(undefined);

const ViewerDocument = graphql(`
  query Viewer {
    viewer { id email name roles }
  }
`);

const SignInDocument = graphql(`
  mutation SignIn($email: EmailAddress!, $password: String!) {
    signIn(email: $email, password: $password) {
      __typename
      ... on SignedIn { accessTokenExpiresAt viewer { id email name roles } }
      ... on Refusal { message }
      ... on SignInThrottled { retryAfterMs }
    }
  }
`);

const RefreshDocument = graphql(`
  mutation Refresh {
    refresh {
      __typename
      ... on SignedIn { accessTokenExpiresAt viewer { id email name roles } }
      ... on Refusal { message }
    }
  }
`);

const SignOutDocument = graphql(`
  mutation SignOut {
    signOut { signedOut }
  }
`);

/** When the access cookie ends, shared by all tabs. Its absence means that no session was begun here. */
const EXPIRY_KEY = 'sextant.session.until';
/** A token that ends sooner than this is renewed at once, so that what is asked next does not fail. */
const EXPIRY_MARGIN_MS = 15_000;

const readExpiry = () => Number(localStorage.getItem(EXPIRY_KEY) ?? 0);

function begin(session: { accessTokenExpiresAt: string; viewer: Viewer }): void {
  localStorage.setItem(EXPIRY_KEY, String(Date.parse(session.accessTokenExpiresAt)));
  if (viewerStore.get()?.id !== session.viewer.id) viewerStore.set(session.viewer);
}

function end(): void {
  localStorage.removeItem(EXPIRY_KEY);
  viewerStore.set(null);
}

type Document = Parameters<typeof stringifyDocument>[0];

/** @throws TypeError the server cannot be reached; Error it answered with an error */
async function ask<Data>(document: Document, variables: Record<string, unknown> = {}): Promise<Data> {
  const answer = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' },
    body: JSON.stringify({ query: stringifyDocument(document), variables }),
  });
  const { data, errors } = (await answer.json()) as { data?: Data; errors?: { message: string }[] };
  if (!data) throw new Error(errors?.[0]?.message ?? `The server answered ${answer.status}`);
  return data;
}

/** Asks who is here, and renews a session whose access token has ended. @throws when the server cannot be asked */
export async function findViewer(): Promise<void> {
  const { viewer } = await ask<ViewerQuery>(ViewerDocument).catch((error) => {
    if (readExpiry() > 0 && !(error instanceof TypeError)) return { viewer: null }; // an expired token
    throw error;
  });
  if (viewer) viewerStore.set(viewer);
  else if (readExpiry() === 0 || !(await refreshSession())) viewerStore.set(null);
}

export type SignInAnswer = SignInMutation['signIn'];

export async function signIn(email: string, password: string): Promise<SignInAnswer> {
  const { signIn: answer } = await ask<SignInMutation>(SignInDocument, { email, password });
  if (answer.__typename === 'SignedIn') begin(answer);
  return answer;
}

/** Loads the page anew, so that nothing of the session stays in it. */
export async function signOut(): Promise<void> {
  await ask(SignOutDocument);
  end();
  window.location.reload();
}

// Signing in or out in one tab does so in all.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === EXPIRY_KEY && (newValue === null) !== (viewerStore.get() === null)) void findViewer().catch(() => {});
});

let refreshing: Promise<boolean> | undefined;

/** Renews the session, once for all who ask at the same time, in whichever tab. @returns whether somebody is signed in then */
export function refreshSession(): Promise<boolean> {
  refreshing ??= inTurn(async () => {
    if (readExpiry() > Date.now() + EXPIRY_MARGIN_MS && readExpiry() !== staleExpiry) return true; // another tab was first
    const { refresh } = await ask<{ refresh: SignInAnswer }>(RefreshDocument);
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

/** The expiry under which the server refused a token although the time had not come: this one needs renewing in any case. */
let staleExpiry = 0;

/** Renews a session that the server no longer takes. */
export async function replaceRefusedSession(): Promise<boolean> {
  staleExpiry = readExpiry();
  if (staleExpiry === 0) {
    end();
    return false;
  }
  return refreshSession();
}

/** Locks are missing where the page is not from a secure origin: tabs then race, and the loser must sign in again. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request('sextant.session', work) : work();
}

/** Renews the session when it is about to end. To be called before what is dear to send twice. */
export async function keepSession(): Promise<void> {
  const expiry = readExpiry();
  if (expiry > 0 && expiry < Date.now() + EXPIRY_MARGIN_MS) await refreshSession();
}

/** `fetch` for GraphQL: renews a session that has ended, and asks again. */
export async function fetchInSession(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  await keepSession();
  const answer = await fetch(input, init);
  const refused = isRefused(await answer.clone().text());
  return refused && (await replaceRefusedSession()) ? fetch(input, init) : answer;
}

function isRefused(body: string): boolean {
  if (!body.includes('"UNAUTHENTICATED"')) return false; // spares most answers a second parse
  const { errors } = JSON.parse(body) as { errors?: { extensions?: { code?: string } }[] };
  return errors?.some((error) => error.extensions?.code === 'UNAUTHENTICATED') ?? false;
}
