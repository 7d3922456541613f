/** A session that is refreshed while the process dies: the client still has a valid token, and only one token family lives. */
import { expect } from 'vitest';
import { administrator, type ProductClient } from '../../harness/product.js';
import { answerOrNull, type Scenario } from '../crash/scenario.js';

const SIGN_IN = `mutation ($email: EmailAddress!, $password: String!) {
  signIn(email: $email, password: $password) { ... on SignedIn { refreshToken } }
}`;
const REFRESH = `mutation ($token: String!) {
  refresh(refreshToken: $token) { __typename ... on SignedIn { refreshToken } }
}`;

async function renew(product: ProductClient, token: string): Promise<string | null> {
  const { data } = await product.request<{ refresh: { refreshToken?: string } }>(REFRESH, { token }, null);
  return data?.refresh.refreshToken ?? null;
}

export const session: Scenario<string> = {
  failpoints: { 'session.renewed': 1 },
  async act(product) {
    const { data } = await product.request<{ signIn: { refreshToken: string } }>(SIGN_IN, administrator, null);
    if (!data) throw new Error('Not signed in');
    const first = data.signIn.refreshToken;
    expect(await answerOrNull(renew(product, first))).toBeNull();
    return first;
  },
  async judge(product, db, first) {
    const second = await renew(product, first); // the response was lost, so the client retries with its old token
    expect(second).toEqual(expect.any(String));
    const third = await renew(product, second ?? '');
    expect(third).toEqual(expect.any(String));
    expect(await renew(product, first)).toBeNull(); // used and superseded: someone has a copy
    expect(await renew(product, third ?? '')).toBeNull(); // so the whole family has ended
    expect(await db.collection('auth.refresh_tokens').countDocuments()).toBe(0);
  },
};
