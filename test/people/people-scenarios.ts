/** Accounts that are created or changed while the process dies: changes are all or nothing, and their owner can continue. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { administrator, type ProductClient } from '../../harness/product.js';
import { hashOfToken } from '../../src/models/people/secrets/one-time-token.js';
import { hashPassword } from '../../src/models/people/secrets/password.js';
import { answerOrNull, type Scenario } from '../crash/scenario.js';

const ann = { email: 'ann@example.org', password: 'a password of Ann', name: 'Ann' };
const TOKEN = 'the token of the email, known to the test';

/** @returns the type name of the result */
async function ask(product: ProductClient, mutation: string, token: string | null = null): Promise<string | undefined> {
  const { data, errors } = await product.request<{ answer: { __typename: string } }>(
    `mutation { ${mutation} }`,
    {},
    token,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data?.answer.__typename;
}

const text = JSON.stringify;
const signIn = (product: ProductClient, { email, password } = ann) =>
  ask(product, `answer: signIn(email: ${text(email)}, password: ${text(password)}) { __typename }`);
const signUp = (product: ProductClient) =>
  ask(
    product,
    `answer: signUp(input: { email: ${text(ann.email)}, password: ${text(ann.password)}, name: "Ann" }) { __typename }`,
  );
const accounts = (db: Db) => db.collection('users').countDocuments({ email: ann.email });

/** The mutation's response was lost, but the account exists. */
async function expectAccount(product: ProductClient, db: Db): Promise<void> {
  expect(await accounts(db)).toBe(1);
  expect(await signIn(product)).toBe('SignedIn');
}

export const signUpBegun: Scenario<void> = {
  environment: { SIGN_UP: 'open' },
  failpoints: { 'sign-up.counted': 1 },
  async act(product) {
    expect(await answerOrNull(signUp(product))).toBeNull();
  },
  async judge(product, db) {
    expect(await accounts(db)).toBe(0);
    expect(await signUp(product)).toBe('SignedIn');
    await expectAccount(product, db);
  },
};

export const signUpDone: Scenario<void> = {
  environment: { SIGN_UP: 'open' },
  failpoints: { 'sign-up.done': 1 },
  async act(product) {
    expect(await answerOrNull(signUp(product))).toBeNull();
  },
  async judge(product, db) {
    expect(await signUp(product)).toBe('EmailTaken');
    await expectAccount(product, db);
  },
};

const confirm = (product: ProductClient) =>
  ask(product, `answer: confirmSignUp(token: ${text(TOKEN)}, password: ${text(ann.password)}) { __typename }`);

export const confirmation: Scenario<void> = {
  failpoints: { 'sign-up.confirmed': 1 },
  async act(product, db) {
    await db.collection<{ _id: string }>('auth.sign_ups').insertOne({
      _id: hashOfToken(TOKEN),
      email: ann.email,
      name: ann.name,
      password_hash: await hashPassword(ann.password),
      expires_at: new Date(Date.now() + 3_600_000),
    } as never);
    expect(await answerOrNull(confirm(product))).toBeNull();
  },
  async judge(product, db) {
    expect(await confirm(product)).toBe('TokenNotGood');
    expect(await db.collection('auth.sign_ups').countDocuments()).toBe(0);
    await expectAccount(product, db);
  },
};

const accept = (product: ProductClient, token: string) =>
  ask(
    product,
    `answer: acceptInvitation(input: { token: ${text(token)}, name: "Ann", password: ${text(ann.password)} }) { __typename }`,
  );

export const invitation: Scenario<string> = {
  failpoints: { 'invitation.accepted': 1 },
  async act(product) {
    const { data } = await product.request<{ invite: { token: string } }>(
      `mutation { invite(input: { email: ${text(ann.email)}, roles: [EDITOR] }) { ... on Invited { token } } }`,
    );
    const token = data?.invite.token ?? '';
    expect(await answerOrNull(accept(product, token))).toBeNull();
    return token;
  },
  async judge(product, db, token) {
    expect(await accept(product, token)).toBe('TokenNotGood');
    expect(await db.collection('auth.invitations').countDocuments()).toBe(0);
    await expectAccount(product, db);
    expect(await db.collection('users').findOne({ email: ann.email })).toMatchObject({ roles: ['EDITOR'] });
  },
};

const NEW_PASSWORD = 'a new password of the administrator';

/** @returns an access token from before the change */
export const passwordChange: Scenario<string> = {
  failpoints: { 'password.changed': 1 },
  async act(product) {
    const token = await product.token();
    const change = `answer: changePassword(password: ${text(administrator.password)}, newPassword: ${text(NEW_PASSWORD)}) { __typename }`;
    expect(await answerOrNull(ask(product, change, token))).toBeNull();
    return token;
  },
  async judge(product, _db, token) {
    expect(await signIn(product, { ...administrator, name: '' })).toBe('WrongCredentials');
    expect(await signIn(product, { ...administrator, password: NEW_PASSWORD, name: '' })).toBe('SignedIn');
    expect(await product.request('{ viewer { id } }', {}, token)).toEqual({ data: { viewer: null } }); // signed in with the old password
  },
};

const RECORD = 'mutation { recordHit(hit: { site: "example.org", page: "/" }) { recorded } }';

/** @returns the key */
export const apiKey: Scenario<string> = {
  failpoints: { 'api-key.used': 1 },
  async act(product) {
    const { data } = await product.request<{ createApiKey: { key: string } }>(
      'mutation { createApiKey(input: { name: "Counter", scopes: [HITS_WRITE] }) { key } }',
    );
    const key = data?.createApiKey.key ?? '';
    expect(await answerOrNull(product.request(RECORD, {}, key))).toBeNull();
    return key;
  },
  async judge(product, db, key) {
    expect(await db.collection('hits.daily').countDocuments()).toBe(0);
    expect(await db.collection('api_keys').findOne({})).toMatchObject({ last_used_at: expect.any(Date) });
    expect(await product.request(RECORD, {}, key)).toMatchObject({ data: { recordHit: { recorded: 1 } } });
  },
};

const forget = (product: ProductClient) =>
  ask(product, `answer: requestPasswordReset(email: ${text(administrator.email)}) { __typename }`);
const resetsOf = (db: Db) => db.collection('auth.password_resets').countDocuments();

export const passwordForgotten: Scenario<void> = {
  environment: { SMTP_URL: 'smtp://127.0.0.1:1' },
  failpoints: { 'password-reset.counted': 1 },
  async act(product) {
    expect(await answerOrNull(forget(product))).toBeNull();
  },
  async judge(product, db) {
    expect(await resetsOf(db)).toBe(0);
    await expect(forget(product)).rejects.toThrow('The email could not be sent'); // nothing listens on this port
    expect(await resetsOf(db)).toBe(1);
  },
};

const reset = (product: ProductClient) =>
  ask(product, `answer: resetPassword(token: ${text(TOKEN)}, newPassword: ${text(NEW_PASSWORD)}) { __typename }`);

/** @returns an access token from before the change */
export const passwordReset: Scenario<string> = {
  failpoints: { 'password-reset.done': 1 },
  async act(product, db) {
    const token = await product.token();
    const user = await db.collection<{ _id: string }>('users').findOne({ email: administrator.email });
    await db.collection<{ _id: string }>('auth.password_resets').insertOne({
      _id: hashOfToken(TOKEN),
      user_id: user?._id,
      credentials_version: 0,
      expires_at: new Date(Date.now() + 3_600_000),
    } as never);
    expect(await answerOrNull(reset(product))).toBeNull();
    return token;
  },
  async judge(product, db, token) {
    expect(await reset(product)).toBe('TokenNotGood');
    expect(await resetsOf(db)).toBe(0);
    expect(await signIn(product, { ...administrator, name: '' })).toBe('WrongCredentials');
    expect(await signIn(product, { ...administrator, password: NEW_PASSWORD, name: '' })).toBe('SignedIn');
    expect(await product.request('{ viewer { id } }', {}, token)).toEqual({ data: { viewer: null } });
    expect(await db.collection('audit').countDocuments({ action: 'PASSWORD_RESET' })).toBe(1);
  },
};
