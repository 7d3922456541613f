/** The courier dies between the steps of deliveries: the next one continues, and every reader has each post once. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { comments } from '../../../src/models/comments/discussion/comment.js';
import { discussions } from '../../../src/models/comments/discussion/discussion.js';
import { people } from '../../../src/models/social/network/person.js';
import { isQueueEmpty } from '../../../src/models/social/news/courier.js';
import { newsPages } from '../../../src/models/social/news/news-page.js';
import { votes } from '../../../src/models/social/posts/poll.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { Network } from '../social-support.js';

const FANS = 5;
const PUBLISH = `mutation ($text: String!) {
  publishPost(input: { text: $text, audience: PUBLIC }, idempotencyKey: $text) { ... on Post { id } }
}`;

interface Seen {
  /** Texts of posts that were acknowledged. */
  readonly posted: readonly string[];
}

/** The administrator with some followers, and with posts that are sent until the server dies. */
async function act(product: Product, db: Db): Promise<Seen> {
  const { data } = await product.request<{ saveProfile: { id: string } }>('mutation { saveProfile(input: {}) { id } }');
  const author = Buffer.from(data?.saveProfile.id ?? '', 'base64url')
    .toString()
    .replace('User:', '');
  const network = new Network(db);
  const fans = Array.from({ length: FANS }, (_, at) => `fan${at}`);
  await network.join(...fans);
  for (const fan of fans) await network.follow(fan, author);
  const posted: string[] = [];
  for (let at = 1; at <= 20; at += 1) {
    const text = `Post ${at}`;
    const answer = await answerOrNull(product.request(PUBLISH, { text }));
    if (answer === null) break;
    if (answer.data) posted.push(text);
  }
  return { posted };
}

const delivered: Scenario<Seen> = {
  failpoints: {
    'social.delivery-due': 2,
    'social.delivery-taken': 3,
    'social.object-asked': 2,
    'social.references-added': 2,
    'social.delivery-stepped': 3,
  },
  act,
  async judge(product, db, { posted }) {
    await waitFor('the deliveries', 30_000, async () => ((await isQueueEmpty(db)) ? true : null));
    const { data } = await product.request<{ news: { edges: { node: { text: string } }[] } }>(
      '{ news(first: 50) { edges { node { text } } } }',
    );
    const own = data?.news.edges.map(({ node }) => node.text) ?? [];
    expect(own).toEqual(expect.arrayContaining([...posted]));
    expect(new Set(own).size).toBe(own.length);
    for (let at = 0; at < FANS; at += 1) {
      const pages = await newsPages(db)
        .find({ user_id: `fan${at}` })
        .toArray();
      const ids = pages.flatMap((page) => page.posts.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(own.length);
    }
  },
};

const POSTS = 30;

/** The administrator follows somebody who has posted, and stops following, until the server dies. */
async function followAndLeave(product: Product, db: Db): Promise<void> {
  await product.request('mutation { saveProfile(input: {}) { id } }');
  const network = new Network(db);
  await network.join('author');
  for (let at = 0; at < POSTS; at += 1) await network.post('author');
  const { data } = await product.request<{ createCircle: { id: string } }>(
    'mutation { createCircle(name: "Friends") { ... on Circle { id } } }',
  );
  const variables = { circleId: data?.createCircle.id ?? '', userId: Buffer.from('User:author').toString('base64url') };
  for (let at = 0; at < 5; at += 1)
    for (const mutation of ['addToCircle', 'removeFromCircle']) {
      const text = `mutation ($circleId: ID!, $userId: ID!) { ${mutation}(circleId: $circleId, userId: $userId) { __typename } }`;
      if ((await answerOrNull(product.request(text, variables))) === null) return;
    }
}

const compared: Scenario<void> = {
  failpoints: { 'social.references-removed': 2 },
  act: followAndLeave,
  async judge(product, db) {
    await waitFor('the deliveries', 30_000, async () => ((await isQueueEmpty(db)) ? true : null));
    const reader = await people(db).findOne({ _id: { $ne: 'author' } });
    const isFollowing = reader?.following.some(({ id }) => id === 'author') ?? false;
    const pages = await newsPages(db)
      .find({ user_id: reader?._id ?? '' })
      .toArray();
    const ids = pages.flatMap((page) => page.posts.map(({ id }) => id));
    expect(new Set(ids).size).toBe(isFollowing ? POSTS : 0);
    const { data } = await product.request<{ news: { edges: unknown[] } }>('{ news(first: 50) { edges { cursor } } }');
    expect(data?.news.edges.length).toBe(isFollowing ? POSTS : 0);
  },
};

const POLL = `mutation ($key: String!) {
  publishPost(input: { type: POLL, audience: PUBLIC, poll: { question: "Tea?", options: ["Yes", "No"] } }, idempotencyKey: $key) {
    ... on Post { id }
  }
}`;
const VOTE_AND_COMMENT = `mutation ($id: ID!) {
  voteInPoll(postId: $id, option: 0) { __typename }
  postComment(nodeId: $id, text: "Coffee") { __typename }
}`;
const DELETE = 'mutation ($id: ID!) { deletePost(id: $id) { __typename } }';

/** The administrator deletes polls with a vote and a comment, until the server dies. */
async function voteAndDelete(product: Product): Promise<void> {
  await product.request('mutation { saveProfile(input: {}) { id } }');
  for (let at = 1; at <= 20; at += 1) {
    const published = await answerOrNull(product.request<{ publishPost: { id: string } }>(POLL, { key: `${at}` }));
    const { id } = published?.data?.publishPost ?? {};
    if (id === undefined) return;
    for (const mutation of [VOTE_AND_COMMENT, DELETE])
      if ((await answerOrNull(product.request(mutation, { id }))) === null) return;
  }
}

const removed: Scenario<void> = {
  failpoints: { 'social.votes-removed': 2 },
  act: voteAndDelete,
  async judge(_product, db) {
    await waitFor('the removals', 60_000, async () => ((await isQueueEmpty(db)) ? true : null));
    const live = await posts(db).countDocuments({ live: true });
    expect(live).toBeLessThanOrEqual(1); // the last one may not have been deleted
    expect(await votes(db).countDocuments()).toBeLessThanOrEqual(live);
    expect(await discussions(db).countDocuments()).toBeLessThanOrEqual(live);
    expect(await comments(db).countDocuments()).toBeLessThanOrEqual(live);
  },
};

export const deliveryScenarios = [delivered, compared, removed] as readonly Scenario<unknown>[];
