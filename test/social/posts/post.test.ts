/** Posts through the API: what may be published, who may change it, and what it shows to whom. */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { idempotency, inTurn } from '../../../src/database/index.js';
import { deliveries } from '../../../src/models/social/delivery/delivery.js';
import { findPostViolations } from '../../../src/models/social/invariants.js';
import { votes } from '../../../src/models/social/posts/poll.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { idOfType, toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { type Member, type Outcome, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;
let ann: Member;
let ben: Member;
let crew: string;

beforeAll(async () => {
  api = new SocialApi(database, server);
  ({ ann, ben } = await api.members('ann', 'ben'));
  crew = await api.circle(ann, 'Crew', ben);
});

const DETAIL = `detail { __typename ... on LinkDetail { url title }
  ... on CheckInDetail { name latitude longitude }
  ... on PollDetail { question closesAt myVote options { number text votes } } }`;
const VIEW = `id type title text author { id } onWallOf { id } editedAt audience circles { name } ${DETAIL}`;
const PUBLISH = `mutation ($input: PostInput!, $idempotencyKey: String) {
  publishPost(input: $input, idempotencyKey: $idempotencyKey) { __typename ... on Post { ${VIEW} } }
}`;
const POST = `query ($id: ID!) { post(id: $id) { ${VIEW} about { id } } }`;
const VOTE = `mutation ($postId: ID!, $option: Int!) { voteInPoll(postId: $postId, option: $option) {
  __typename ... on Post { ${DETAIL} }
} }`;
const EDIT = `mutation ($id: ID!, $text: String!) { editPost(id: $id, text: $text) {
  __typename ... on Post { text editedAt }
} }`;

const publish = async (input: object, by = ann) =>
  (await api.ask<{ publishPost: Outcome & Record<string, unknown> }>(PUBLISH, { input }, by)).publishPost;
const view = async (id: string, by: Member | null) =>
  (await api.ask<{ post: Record<string, unknown> | null }>(POST, { id }, by)).post;
const stored = (id: string) => posts(database.db).findOne({ _id: idOfType('Post', id) ?? '' });
const count = () => posts(database.db).countDocuments({});
const poll = { question: 'Which?', options: ['One', 'Two', 'Three'] };

describe('a post', () => {
  it.each<[string, object, object]>([
    ['STATUS', { text: ' Hello\r\nyou ' }, { title: 'Hello', text: 'Hello\nyou', detail: null }],
    [
      'LINK',
      { url: 'HTTPS://Example.org' },
      { title: 'https://example.org/', detail: { url: 'https://example.org/', title: '' } },
    ],
    ['LINK', { url: 'http://a.example/b?c#d', title: ' News ' }, { title: 'News', detail: { title: 'News' } }],
    [
      'CHECK_IN',
      { title: 'Harbour' },
      { title: 'Harbour', detail: { name: 'Harbour', latitude: null, longitude: null } },
    ],
    [
      'CHECK_IN',
      { title: 'Pole', latitude: -90, longitude: 180, text: 'Cold' },
      { title: 'Cold', detail: { latitude: -90, longitude: 180 } },
    ],
    [
      'POLL',
      { poll },
      {
        title: 'Which?',
        detail: {
          question: 'Which?',
          closesAt: null,
          myVote: null,
          options: [
            { number: 0, text: 'One', votes: 0 },
            { number: 1, text: 'Two', votes: 0 },
            { number: 2, text: 'Three', votes: 0 },
          ],
        },
      },
    ],
  ])('of the type %s is published with %j', async (type, input, expected) => {
    const published = await publish({ type, audience: 'PUBLIC', ...input });
    expect(published).toMatchObject({
      __typename: 'Post',
      type,
      author: { id: ann.id },
      onWallOf: null,
      editedAt: null,
      ...expected,
    });
    const { __typename: _type, ...shown } = published;
    expect(await view(published.id, null)).toEqual({ ...shown, about: null });
  });

  const options = (some: number) => Array.from({ length: some }, (_, at) => `Option ${at}`);

  it.each<[string, string, object, string]>([
    ['STATUS', 'input.text', { text: ' \n ' }, 'must not be empty'],
    ['STATUS', 'input.text', { text: 'a'.repeat(10_001) }, 'must have at most 10000 characters'],
    ...['\u200b', ' \u2060\n\u200d ', '\u3164', '\u2800', '\u0301'].map((text): [string, string, object, string] => [
      'STATUS',
      'input.text',
      { text },
      'must not be empty',
    ]),
    ['STATUS', 'input.text', { text: 'a\u0000b' }, 'must not have the hidden character U+0000, which is at position 2'],
    [
      'PHOTO',
      'input.text',
      { imageId: 'x', text: 'Two\nabc\u202egnp.exe' },
      'must not have the hidden character U+202E, which is at position 8',
    ],
    ['STATUS', 'input.url', { text: 'a', url: 'https://a.example' }, 'does not go with STATUS'],
    ['STATUS', 'input.poll', { text: 'a', poll }, 'does not go with STATUS'],
    ['STATUS', 'input.imageId', { text: 'a', imageId: 'x' }, 'does not go with STATUS'],
    ['STATUS', 'input.circleIds', { text: 'a', audience: 'CIRCLES' }, 'must name a circle'],
    ['STATUS', 'input.circleIds', { text: 'a', circleIds: ['x'] }, 'goes with the audience CIRCLES'],
    ['STATUS', 'input.aboutId', { text: 'a', aboutId: 'none' }, 'must name an object that you can see, and no comment'],
    ['PHOTO', 'input.imageId', {}, 'is required for PHOTO'],
    [
      'PHOTO',
      'input.description',
      { imageId: toGlobalId('Asset', 'x'), description: 'a'.repeat(1501) },
      'must have at most 1500 characters',
    ],
    [
      'PHOTO',
      'input.description',
      { imageId: toGlobalId('Asset', 'x'), description: 'abc\u202egnp.exe' },
      'must not have the hidden character U+202E, which is at position 4',
    ],
    ['LINK', 'input.description', { url: 'https://a.example', description: 'a' }, 'does not go with LINK'],
    ['PHOTO', 'input.latitude', { imageId: 'x', latitude: 1 }, 'does not go with PHOTO'],
    ['LINK', 'input.url', {}, 'must be an https: or http: address with at most 2000 characters'],
    [
      'LINK',
      'input.url',
      { url: 'javascript:alert(1)' },
      'must be an https: or http: address with at most 2000 characters',
    ],
    [
      'LINK',
      'input.url',
      { url: 'data:text/html,a' },
      'must be an https: or http: address with at most 2000 characters',
    ],
    [
      'LINK',
      'input.url',
      { url: 'https://user:word@a.example' },
      'must be an https: or http: address with at most 2000 characters',
    ],
    [
      'LINK',
      'input.url',
      { url: `https://a.example/${'a'.repeat(2000)}` },
      'must be an https: or http: address with at most 2000 characters',
    ],
    ['LINK', 'input.title', { url: 'https://a.example', title: 'a'.repeat(201) }, 'must have 1 to 200 characters'],
    ['LINK', 'input.longitude', { url: 'https://a.example', longitude: 1 }, 'does not go with LINK'],
    ['CHECK_IN', 'input.title', {}, 'must have 1 to 200 characters'],
    ['CHECK_IN', 'input.latitude', { title: 'A', latitude: 1 }, 'goes with longitude'],
    ['CHECK_IN', 'input.latitude', { title: 'A', latitude: 90.1, longitude: 0 }, 'must be between -90 and 90'],
    ['CHECK_IN', 'input.longitude', { title: 'A', latitude: 0, longitude: -180.1 }, 'must be between -180 and 180'],
    ['POLL', 'input.poll', {}, expect.any(String)],
    ['POLL', 'input.poll.question', { poll: { ...poll, question: ' ' } }, expect.any(String)],
    ['POLL', 'input.poll.question', { poll: { ...poll, question: 'q'.repeat(301) } }, expect.any(String)],
    ['POLL', 'input.poll.options', { poll: { ...poll, options: options(1) } }, expect.any(String)],
    ['POLL', 'input.poll.options', { poll: { ...poll, options: options(11) } }, expect.any(String)],
    ['POLL', 'input.poll.options.1', { poll: { ...poll, options: ['One', 'o'.repeat(101)] } }, expect.any(String)],
    ['POLL', 'input.poll.closesAt', { poll: { ...poll, closesAt: '2020-01-01T00:00:00Z' } }, 'must be in the future'],
  ])('of the type %s is refused for %s', async (type, field, input, rule) => {
    const before = await count();
    expect(await api.failure(PUBLISH, { input: { type, ...input } }, ann)).toMatchObject({
      code: 'BAD_USER_INPUT',
      field,
      rule,
    });
    expect(await count()).toBe(before);
  });

  it('is published once for a key, and another input with the key is refused', async () => {
    const input = { text: 'Once', audience: 'PUBLIC' };
    const first = await api.publish(ann, input, 'a key');
    expect(await Promise.all([1, 2, 3].map(() => api.publish(ann, input, 'a key')))).toEqual([first, first, first]);
    const texts = (await api.texts(`wall(userId: "${ann.id}")`, ann, 100)).filter((text) => text === 'Once');
    expect(texts).toEqual(['Once']);
    const other = { input: { ...input, text: 'Twice' }, idempotencyKey: 'a key' };
    expect(await api.failure(PUBLISH, other, ann)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await api.publish(ben, input, 'a key')).id).not.toBe(first.id); // keys are each person's own
  });

  describe('that was published with a key, and deleted, is not published again', () => {
    const input = { text: 'Regretted words', audience: 'PUBLIC' };
    const keyed = (idempotencyKey: string) => api.publish(ann, input, idempotencyKey);
    const answers = () => idempotency(database.db).find({}).toArray();

    it('by a retry after an answer that was lost, and its words are nowhere', async () => {
      const { id } = await keyed('lost answer');
      await api.remove(ann, id);
      const before = await count();
      expect(await keyed('lost answer')).toEqual({ __typename: 'PostNotFound' });
      expect(await count()).toBe(before);
      expect(JSON.stringify(await answers())).not.toContain(input.text);
    });

    it('by a retry of a call that died before it answered', async () => {
      const { id } = await keyed('no answer');
      await idempotency(database.db).updateOne(
        { 'answer.post': idOfType('Post', id) },
        { $unset: { answer: '' }, $set: { locked_until: new Date(0) } },
      );
      await api.remove(ben, id); // not theirs
      expect((await keyed('no answer')).id).toBe(id);
      await idempotency(database.db).updateOne(
        { 'answer.post': idOfType('Post', id) },
        { $unset: { answer: '' }, $set: { locked_until: new Date(0) } },
      );
      await api.remove(ann, id);
      const before = await count();
      for (const _again of [1, 2]) expect(await keyed('no answer')).toEqual({ __typename: 'PostNotFound' });
      expect(await count()).toBe(before);
    });
  });

  it('that was edited is returned to a retry as it is now', async () => {
    const input = { text: 'First', audience: 'PUBLIC' };
    const send = async () =>
      (await api.ask<{ publishPost: Outcome }>(PUBLISH, { input, idempotencyKey: 'edited' }, ann)).publishPost;
    const { id } = await send();
    await api.ask(EDIT, { id, text: 'Second' }, ann);
    expect(await send()).toMatchObject({ id, text: 'Second', editedAt: expect.any(String) });
  });

  it('is refused where the network does not go, and nothing is stored', async () => {
    const outside = await api.account('outside');
    const { foe, hurt } = await api.members('foe', 'hurt');
    await api.block(ann, foe);
    await api.block(hurt, ann);
    await api.delivered();
    const before = [await count(), await deliveries(database.db).countDocuments({})];
    const wall = (onWallOf: string) => ({ text: 'A', audience: 'PUBLIC', onWallOf });
    expect(await publish({ text: 'A' }, outside)).toEqual({ __typename: 'ProfileNotFound' });
    for (const owner of [outside, foe, hurt])
      expect(await publish(wall(owner.id))).toEqual({ __typename: 'ProfileNotFound' });
    for (const owner of ['none', '']) expect(await publish(wall(owner))).toEqual({ __typename: 'ProfileNotFound' });
    expect(await publish({ text: 'A', audience: 'CIRCLES', circleIds: [crew, 'none'] })).toEqual({
      __typename: 'CircleNotFound',
    });
    expect(await api.failure(PUBLISH, { input: { text: 'A' } }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect([await count(), await deliveries(database.db).countDocuments({})]).toEqual(before);
  });

  it('tells only its author for which circles it is', async () => {
    const { id } = await publish({ text: 'For the crew', audience: 'CIRCLES', circleIds: [crew, crew] });
    expect(await view(id, ann)).toMatchObject({ audience: 'CIRCLES', circles: [{ name: 'Crew' }] });
    expect(await view(id, ben)).toMatchObject({ audience: 'MY_CIRCLES', circles: [] });
  });
});

describe('what a post is about', () => {
  it('is shown without what that is about itself', async () => {
    const first = await api.post(ann, 'The first', { audience: 'PUBLIC' });
    const second = await api.post(ben, 'About the first', { audience: 'PUBLIC', aboutId: first });
    const third = await api.post(ann, 'About the second', { audience: 'PUBLIC', aboutId: second });
    const about = 'about { ... on Post { text about { id } } }';
    const read = async (id: string) =>
      (await api.ask<{ post: unknown }>(`query ($id: ID!) { post(id: $id) { ${about} } }`, { id }, ann)).post;
    expect(await read(second)).toEqual({ about: { text: 'The first', about: null } });
    expect(await read(third)).toEqual({ about: { text: 'About the first', about: null } });
  });

  it('is no comment, which has replies', async () => {
    const { id } = await api.comment(ann, await api.post(ann, 'The post', { audience: 'PUBLIC' }), 'A comment');
    const input = { text: 'About it', audience: 'PUBLIC', aboutId: id };
    expect(await api.failure(PUBLISH, { input }, ann)).toMatchObject({ field: 'input.aboutId' });
  });

  it('is refused if its author does not see it, and null for a reader who does not', async () => {
    const { cid, dan } = await api.members('cid', 'dan');
    const secret = await api.post(ann, 'Secret', { audience: 'CIRCLES', circleIds: [crew] });
    const input = (aboutId: string) => ({ text: 'About it', audience: 'PUBLIC', aboutId });
    for (const aboutId of [secret, crew]) // of a circle, as of a post: there is nothing that cid could see
      expect(await api.failure(PUBLISH, { input: input(aboutId) }, cid)).toMatchObject({
        code: 'BAD_USER_INPUT',
        field: 'input.aboutId',
      });
    const { id } = await publish(input(secret), ben);
    for (const by of [ann, ben]) expect(await view(id, by)).toMatchObject({ about: { id: secret } });
    for (const by of [cid, dan, null]) expect(await view(id, by)).toMatchObject({ text: 'About it', about: null });
    await api.removeFromCircle(ann, crew, ben);
    expect(await view(id, ben)).toMatchObject({ about: null }); // also for who has written it
    await api.addToCircle(ann, crew, ben);
    await api.remove(ann, secret);
    expect(await view(id, ann)).toMatchObject({ about: null });
  });

  it('may have gone when a call with a key is sent again: the post is returned, and there is one', async () => {
    const gone = await api.post(ann, 'Gone soon');
    const variables = { input: { text: 'About it', audience: 'PUBLIC', aboutId: gone }, idempotencyKey: 'gone' };
    const send = async () => (await api.ask<{ publishPost: Outcome }>(PUBLISH, variables, ben)).publishPost;
    const first = await send();
    await api.remove(ann, gone);
    const before = await count();
    expect(await send()).toEqual(first);
    await idempotency(database.db).updateOne(
      { 'answer.post': idOfType('Post', first.id) },
      { $unset: { answer: '' }, $set: { locked_until: new Date(0) } }, // as if the call had died before it answered
    );
    expect(await send()).toEqual(first);
    expect(await count()).toBe(before);
  });
});

describe('a post is edited', () => {
  it('by its author, which says when; the same text again changes nothing', async () => {
    const id = await api.post(ann, 'Before');
    const first = await api.ask<{ editPost: { editedAt: string } }>(EDIT, { id, text: ' After ' }, ann);
    expect(first.editPost).toEqual({ __typename: 'Post', text: 'After', editedAt: expect.any(String) });
    expect(await api.ask(EDIT, { id, text: 'After' }, ann)).toEqual(first);
    expect(await view(id, null)).toMatchObject({ text: 'After', title: 'After' });
  });

  it('by nobody else, not to nothing, and not once it is deleted', async () => {
    const editor = await api.member('an-admin', 'ADMIN');
    const id = await api.post(ben, 'Mine', { audience: 'PUBLIC', onWallOf: ann.id });
    const before = await stored(id);
    for (const by of [ann, editor])
      expect(await api.ask(EDIT, { id, text: 'Yours' }, by)).toEqual({ editPost: { __typename: 'PostNotFound' } });
    expect(await api.failure(EDIT, { id, text: ' ' }, ben)).toMatchObject({ field: 'text', rule: 'must not be empty' });
    for (const text of ['\u2060', '\u3164\n'])
      expect(await api.failure(EDIT, { id, text }, ben)).toMatchObject({ field: 'text', rule: 'must not be empty' });
    for (const text of ['a'.repeat(10_001), 'a\u2066b'])
      expect(await api.failure(EDIT, { id, text }, ben)).toMatchObject({ field: 'text' });
    expect(await stored(id)).toEqual(before);
    await api.remove(ben, id);
    expect(await api.ask(EDIT, { id, text: 'Again' }, ben)).toEqual({ editPost: { __typename: 'PostNotFound' } });
  });
});

describe('a guest over a block', () => {
  it('does not change what is on the wall, and may still delete it', async () => {
    const { owner, guest } = await api.members('owner', 'guest');
    for (const [one, other] of [
      [owner, guest],
      [guest, owner],
    ] as const) {
      const id = await api.post(guest, 'Before', { audience: 'PUBLIC', onWallOf: owner.id });
      await api.block(one, other);
      const before = await stored(id);
      expect(await api.ask(EDIT, { id, text: 'After' }, guest)).toEqual({ editPost: { __typename: 'PostNotFound' } });
      expect(await stored(id)).toEqual(before);
      await api.unblock(one, other);
      expect(await api.ask(EDIT, { id, text: 'After' }, guest)).toMatchObject({ editPost: { text: 'After' } });
      await api.block(one, other);
      expect(await api.remove(guest, id)).toBe('DeletedPost');
      await api.unblock(one, other);
    }
    await api.delivered();
  });

  it('is seen by the owner of the wall, who reports and deletes it, and neither of the two comments there', async () => {
    const { owner, guest, other } = await api.members('owner', 'guest', 'other');
    const EDIT_COMMENT = 'mutation ($id: ID!) { editComment(id: $id, text: "After") { __typename } }';
    const REPORT = 'mutation ($id: ID!) { reportPost(id: $id, reason: "Look") { reported } }';
    const POLICY = 'query ($id: ID!) { post(id: $id) { commentPolicy } }';
    const OPEN = { post: { commentPolicy: 'MEMBERS' } };
    for (const [one, another] of [
      [owner, guest],
      [guest, owner],
    ] as const)
      for (const audience of ['PUBLIC', 'MY_CIRCLES']) {
        const id = await api.post(guest, 'Before', { audience, onWallOf: owner.id });
        const comment = await api.comment(guest, id, 'Before');
        await api.block(one, another);
        expect(await view(id, owner)).toMatchObject({ text: 'Before' });
        expect(await api.texts('incoming', owner)).toEqual(['Before']);
        expect(await api.texts(`wall(userId: "${owner.id}")`, owner)).toEqual([]);
        for (const by of [owner, guest]) {
          expect((await api.comment(by, id, 'Over it')).__typename).toBe('CommentsClosed');
          expect(await api.ask(POLICY, { id }, by)).toEqual({ post: { commentPolicy: 'NOBODY' } });
        }
        expect(await api.ask(POLICY, { id }, other)).toEqual(audience === 'PUBLIC' ? OPEN : { post: null });
        expect(await api.ask(EDIT_COMMENT, { id: comment.id }, guest)).toEqual({
          editComment: { __typename: 'CommentsClosed' },
        });
        if (audience === 'PUBLIC') expect((await api.comment(other, id, 'Allowed')).__typename).toBe('Comment');
        expect(await api.ask(REPORT, { id }, owner)).toEqual({ reportPost: { reported: true } });
        expect(await api.remove(owner, id)).toBe('DeletedPost');
        await api.unblock(one, another);
      }
    await api.delivered();
  });
});

describe('a post is deleted', () => {
  const isAudited = async (id: string) =>
    (
      await database.db
        .collection('audit')
        .find({ action: 'POST_DELETED', subject: idOfType('Post', id) })
        .toArray()
    ).length;

  it('by its author, and by the owner of the wall, again without effect, and no text is left', async () => {
    for (const by of [ann, ben]) {
      const id = await api.post(ben, 'Guest', { audience: 'PUBLIC', onWallOf: ann.id });
      const comment = await api.comment(ann, id, 'A comment');
      expect(await api.remove(by, id)).toBe('DeletedPost');
      expect(await api.remove(by, id)).toBe('DeletedPost');
      expect(await view(id, ben)).toBeNull();
      expect(await stored(id)).toMatchObject({ text: '', deleted: expect.any(Date) });
      expect(await isAudited(id)).toBe(0);
      await api.delivered();
      expect(await api.ask('query ($id: ID!) { node(id: $id) { id } }', { id: comment.id }, ann)).toEqual({
        node: null,
      });
    }
  });

  it('by an editor, with an entry in the audit trail that names its author', async () => {
    const admin = await api.member('another-admin', 'ADMIN');
    const id = await api.post(ann, 'For the crew', { audience: 'CIRCLES', circleIds: [crew] });
    expect(await api.remove(admin, id)).toBe('DeletedPost');
    expect(await api.remove(admin, id)).toBe('DeletedPost');
    expect(await isAudited(id)).toBe(1);
    const { auditTrail } = await api.ask<{ auditTrail: { edges: { node: object }[] } }>(
      '{ auditTrail(first: 1) { edges { node { action detail } } } }',
      {},
      { token: server.token },
    );
    expect(auditTrail.edges[0]?.node).toEqual({ action: 'POST_DELETED', detail: ann.name });
    const own = await api.post(admin, 'Own');
    expect(await api.remove(admin, own)).toBe('DeletedPost');
    expect(await isAudited(own)).toBe(0);
  });

  it('by nobody else', async () => {
    const { cid } = await api.members('cid');
    const id = await api.post(ann, 'Stays');
    for (const by of [ben, cid]) expect(await api.remove(by, id)).toBe('PostNotFound');
    expect(await api.remove(ann, 'none')).toBe('PostNotFound');
    expect(await view(id, null)).not.toBeNull();
  });
});

describe('a poll', () => {
  const vote = async (postId: string, option: number, by: Member) =>
    (await api.ask<{ voteInPoll: Outcome & { detail?: object } }>(VOTE, { postId, option }, by)).voteInPoll;
  const options = (...counts: number[]) => ({
    detail: { options: counts.map((each) => expect.objectContaining({ votes: each })) },
  });

  it('counts one vote of each person, who may change it, and sees only the own one', async () => {
    const id = (await publish({ type: 'POLL', audience: 'PUBLIC', poll })).id;
    expect(await vote(id, 0, ben)).toMatchObject({ detail: { myVote: 0 }, ...{} });
    expect(await vote(id, 0, ben)).toMatchObject(options(1, 0, 0));
    expect(await vote(id, 2, ben)).toMatchObject(options(0, 0, 1));
    expect(await vote(id, 2, ann)).toMatchObject(options(0, 0, 2));
    for (const [by, myVote] of [
      [ben, 2],
      [ann, 2],
      [null, null],
    ] as const)
      expect(await view(id, by)).toMatchObject({ detail: { myVote } });
  });

  it('refuses votes for what it does not have, votes of those who do not see it, and changes nothing', async () => {
    const { cid } = await api.members('cid');
    const id = (await publish({ type: 'POLL', poll })).id;
    const before = [await stored(id), await votes(database.db).countDocuments({})];
    for (const option of [-1, 3]) expect(await vote(id, option, ben)).toEqual({ __typename: 'CannotVote' });
    expect(await vote(id, 0, cid)).toEqual({ __typename: 'PostNotFound' });
    expect(await vote('none', 0, cid)).toEqual({ __typename: 'PostNotFound' });
    expect(await vote(await api.post(ann, 'No poll'), 0, ben)).toEqual({ __typename: 'CannotVote' });
    expect(await api.failure(VOTE, { postId: id, option: 0 }, null)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect([await stored(id), await votes(database.db).countDocuments({})]).toEqual(before);
  });

  it('takes no votes over a block, of the owner of the wall or of the author', async () => {
    const { owner, guest } = await api.members('owner', 'guest');
    const { id } = await publish({ type: 'POLL', audience: 'PUBLIC', poll, onWallOf: owner.id }, guest);
    await api.block(owner, guest);
    for (const by of [owner, guest]) expect(await vote(id, 0, by)).toEqual({ __typename: 'PostNotFound' });
    await api.unblock(owner, guest);
    for (const by of [owner, guest]) expect((await vote(id, 0, by)).__typename).toBe('Post');
    await api.delivered();
  });

  it('takes no vote that has waited for others while a block came', async () => {
    const { zoe } = await api.members('zoe');
    const { id } = await publish({ type: 'POLL', audience: 'PUBLIC', poll });
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const others = inTurn(database.db, `votes/${idOfType('Post', id)}`, () => held);
    const waiting = vote(id, 0, zoe);
    await pause(300); // it has looked at the post, and waits
    await api.block(ann, zoe);
    goOn();
    await others;
    expect(await waiting).toEqual({ __typename: 'PostNotFound' });
    expect(await view(id, ann)).toMatchObject(options(0, 0, 0));
  });

  it('and the comments of a public post are only for those who have joined the network, who can be blocked', async () => {
    const outside = await api.account('stranger');
    const { id } = await publish({ type: 'POLL', audience: 'PUBLIC', poll });
    const POLICY = 'query ($id: ID!) { post(id: $id) { commentPolicy } }';
    expect(await vote(id, 0, outside)).toEqual({ __typename: 'ProfileNotFound' });
    expect((await api.comment(outside, id, 'Here')).__typename).toBe('CommentsClosed');
    expect(await api.ask(POLICY, { id }, outside)).toEqual({ post: { commentPolicy: 'NOBODY' } });
    for (const by of [null, ann, ben])
      expect(await api.ask(POLICY, { id }, by)).toEqual({ post: { commentPolicy: 'MEMBERS' } });
    await api.ask('mutation { saveProfile(input: {}) { id } }', {}, outside);
    expect((await vote(id, 0, outside)).__typename).toBe('Post');
    expect((await api.comment(outside, id, 'Here')).__typename).toBe('Comment');
    expect(await api.ask(POLICY, { id }, outside)).toEqual({ post: { commentPolicy: 'MEMBERS' } });
  });

  it('takes no votes once it has ended', async () => {
    const closesAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = (await publish({ type: 'POLL', audience: 'PUBLIC', poll: { ...poll, closesAt } })).id;
    expect(await vote(id, 1, ben)).toMatchObject({ detail: { closesAt, myVote: 1 } });
    await posts(database.db).updateOne({ _id: idOfType('Post', id) ?? '' }, { $set: { 'detail.closes': new Date(0) } });
    const before = await stored(id);
    for (const by of [ann, ben]) expect(await vote(id, 0, by)).toEqual({ __typename: 'CannotVote' });
    expect(await stored(id)).toEqual(before);
  });

  it('that is deleted keeps no votes once it is out of the news', async () => {
    const [gone, kept] = [
      await publish({ type: 'POLL', audience: 'PUBLIC', poll }),
      await publish({ type: 'POLL', audience: 'PUBLIC', poll }),
    ];
    for (const { id } of [gone, kept]) for (const by of [ann, ben]) await vote(id, 1, by);
    const votesOf = ({ id }: { readonly id: string }) =>
      votes(database.db).countDocuments({ post_id: idOfType('Post', id) ?? '' });
    const violations = async () => {
      const found = [];
      for await (const { invariant } of findPostViolations(database.db, async () => undefined)) found.push(invariant);
      return found;
    };
    const left = await votes(database.db)
      .find({ post_id: idOfType('Post', gone.id) ?? '' })
      .toArray();
    await api.remove(ann, gone.id);
    expect(await violations()).toEqual([]);
    await api.delivered();
    expect([await votesOf(gone), await votesOf(kept)]).toEqual([0, 2]);
    expect(await violations()).toEqual([]);
    await votes(database.db).insertMany(left);
    expect(await violations()).toEqual(['votes of a deleted poll']);
    await votes(database.db).deleteMany({ post_id: idOfType('Post', gone.id) ?? '' });
  });

  it('counts what 30 people vote at once, each twice', async () => {
    const id = (await publish({ type: 'POLL', audience: 'PUBLIC', poll })).id;
    const voters: Member[] = [];
    for (let at = 0; at < 30; at += 1) voters.push(await api.member(`voter${at}`));
    await Promise.all(voters.flatMap((by, at) => [vote(id, at % 3, by), vote(id, (at + 1) % 3, by)]));
    const counted = (await stored(id))?.detail?.options?.map((each) => each.votes) ?? [];
    const cast = await Promise.all(
      [0, 1, 2].map((option) => votes(database.db).countDocuments({ post_id: idOfType('Post', id) ?? '', option })),
    );
    expect(counted).toEqual(cast);
    expect(cast.reduce((sum, each) => sum + each)).toBe(30);
    const found = [];
    for await (const violation of findPostViolations(database.db, async () => undefined)) found.push(violation);
    expect(found).toEqual([]);
  });
});
