/** The pages of the network with long content. */
import type { Product } from '../../../harness/product.js';
import { addAccount } from '../../browser/support/accounts.js';
import { type AddedIds, ask, LONG, type NarrowPages } from '../../browser/support/narrow-pages.js';

export const narrowPages: NarrowPages = {
  fill,
  forAdministrators: [
    ['/social', '/social', 'Shared with:'],
    ['/social/wall', '/social/wall', 'Edit profile'],
    ['/social/circles', '/social/circles', LONG.slice(0, 50)],
    ['/social/people', '/social/people', 'Your followers'],
    ['/social/incoming', '/social/incoming', 'What others wrote on your wall.'],
    ['/social/wall/:id', '/social/wall/{member}', LONG.slice(0, 30)],
    ['/social/wall/:id', '/social/wall/nobody', 'Nobody is here'],
    ['/social/post/:id', '/social/post/{post}', 'Shared with:'],
    ['/social/post/:id', '/social/post/nothing', 'There is no such post'],
    ['/social/reports', '/social/reports', 'Keep'],
    ['/social/maintenance', '/social/maintenance', 'Import a network'],
  ],
};

const SAVE_PROFILE = 'mutation ($input: ProfileInput!) { saveProfile(input: $input) { id } }';
const PUBLISH = `mutation ($input: PostInput!) {
  publishPost(input: $input) { __typename ... on Post { id } ... on Refusal { message } }
}`;

async function fill(product: Product, ids: AddedIds): Promise<void> {
  const about = `${LONG}${LONG}`;
  const profile = { about, place: LONG.slice(0, 100), interests: [LONG.slice(0, 50)] };
  const { saveProfile: own } = await ask<{ saveProfile: { id: string } }>(product, SAVE_PROFILE, { input: profile });
  await ask(product, 'mutation ($name: String!) { createCircle(name: $name) { __typename } }', {
    name: LONG.slice(0, 50),
  });
  await ask(product, PUBLISH, { input: { text: about, audience: 'PUBLIC' } });
  await ask(product, PUBLISH, { input: { type: 'LINK', url: `https://example.org/${LONG}`, title: LONG } });
  await ask(product, PUBLISH, { input: { type: 'CHECK_IN', title: LONG } });
  await ask(product, PUBLISH, { input: { type: 'POLL', poll: { question: about, options: [LONG, `${LONG}2`] } } });

  const author = await addAccount(product, LONG.slice(0, 30), ['MEMBER']);
  const as = async <Data>(query: string, variables: object, token: string | null): Promise<Data> => {
    const { data, errors } = await product.request<Data>(query, variables, token);
    if (!data) throw new Error(JSON.stringify(errors));
    return data;
  };
  const { signIn } = await as<{ signIn: { accessToken: string } }>(
    'mutation ($email: EmailAddress!, $password: String!) { signIn(email: $email, password: $password) { ... on SignedIn { accessToken } } }',
    author,
    null,
  );
  const { saveProfile } = await as<{ saveProfile: { id: string } }>(
    SAVE_PROFILE,
    { input: profile },
    signIn.accessToken,
  );
  ids.set('member', saveProfile.id);
  await as(PUBLISH, { input: { text: about, audience: 'PUBLIC' } }, signIn.accessToken);
  const input = { text: about, audience: 'PUBLIC', onWallOf: own.id };
  const { publishPost } = await as<{ publishPost: { id: string } }>(PUBLISH, { input }, signIn.accessToken);
  await ask(product, 'mutation ($id: ID!, $reason: String!) { reportPost(id: $id, reason: $reason) { reported } }', {
    id: publishPost.id,
    reason: about,
  });
  ids.set('post', publishPost.id);
}
