/** People of the network, for tests of its pages, through the API. */
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { addAccount } from './accounts.js';
import type { Credentials } from './dashboard.js';

export interface Member extends Credentials {
  readonly id: string;
  readonly name: string;
  /** Sends an operation that must succeed, as this person. */
  ask<Data = unknown>(query: string, variables?: object): Promise<Data>;
  circle(name: string, members?: readonly Member[]): Promise<string>;
  post(input: object): Promise<{ id: string }>;
}

const SIGN_IN = `mutation ($email: EmailAddress!, $password: String!) {
  signIn(email: $email, password: $password) { ... on SignedIn { accessToken viewer { id } } }
}`;

/** Creates an account. @param joins whether it joins the network */
export async function addMember(product: Product, name: string, joins = true): Promise<Member> {
  const credentials = await addAccount(product, name, ['MEMBER']);
  const { data } = await product.request<{ signIn: { accessToken: string; viewer: { id: string } } }>(
    SIGN_IN,
    credentials,
    null,
  );
  const token = data?.signIn.accessToken ?? '';
  const ask = async <Data>(query: string, variables: object = {}): Promise<Data> => {
    const answer = await product.request<Data>(query, variables, token);
    expect(answer.errors).toBeUndefined();
    return answer.data as Data;
  };
  if (joins) await ask('mutation { saveProfile(input: { about: "Sails" }) { id } }');
  let posts = 0;
  return {
    ...credentials,
    name,
    id: data?.signIn.viewer.id ?? '',
    ask,
    circle: async (circleName, members = []) => {
      const { createCircle } = await ask<{ createCircle: { id: string } }>(
        'mutation ($name: String!) { createCircle(name: $name) { ... on Circle { id } } }',
        { name: circleName },
      );
      for (const member of members)
        await ask('mutation ($c: ID!, $u: ID!) { addToCircle(circleId: $c, userId: $u) { __typename } }', {
          c: createCircle.id,
          u: member.id,
        });
      return createCircle.id;
    },
    post: async (input) => {
      posts += 1;
      const { publishPost } = await ask<{ publishPost: { id: string } }>(
        'mutation ($input: PostInput!, $key: String) { publishPost(input: $input, idempotencyKey: $key) { ... on Post { id } } }',
        { input, key: `${name} ${posts}` },
      );
      return publishPost;
    },
  };
}
