/** Photos through the API: whose they are, who gets the picture, and what is said to people who cannot see it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { personalData } from '../../../src/models/social/personal-data.js';
import { posts } from '../../../src/models/social/posts/post.js';
import { idOfType } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { upload } from '../../system/assets/asset-client.js';
import { noise } from '../../system/assets/picture-support.js';
import { type Member, SocialApi } from '../social-api.js';

const database = useDatabase();
const server = useServer(database);
let api: SocialApi;
let ann: Member;
let ben: Member;

beforeAll(async () => {
  api = new SocialApi(database, server);
  ({ ann, ben } = await api.members('ann', 'ben'));
  await api.circle(ann, 'Crew', ben);
});

const PUBLISH = 'mutation ($input: PostInput!) { publishPost(input: $input) { __typename ... on Post { id } } }';
const POST = `query ($id: ID!) { post(id: $id) {
  title text detail { __typename ... on PhotoDetail { description image { id } } }
} }`;
const EDIT = 'mutation ($id: ID!) { editPost(id: $id, text: "At sea") { __typename } }';

/** Another picture for each seed. */
const uploaded = async (seed: number) =>
  (await upload(server, ann.token, await noise({}, seed).jpeg().toBuffer())).data?.uploadPicture ?? {};
const publish = async (input: object) => (await api.publish(ann, { type: 'PHOTO', ...input })).id;
const view = async (id: string, by: Member | null) => (await api.ask<{ post: object | null }>(POST, { id }, by)).post;
const detailOf = async (id: string) => (await posts(database.db).findOne({ _id: idOfType('Post', id) ?? '' }))?.detail;
const count = () => posts(database.db).countDocuments({});

describe('a photo', () => {
  it('is published by whoever has uploaded it, and by nobody else', async () => {
    const { id: imageId } = await uploaded(1);
    const input = { type: 'PHOTO', imageId };
    const before = await count();
    const refused = { code: 'BAD_USER_INPUT', field: 'input.imageId' };
    expect(await api.failure(PUBLISH, { input }, ben)).toMatchObject(refused);
    expect(await count()).toBe(before);
    const id = await publish({ imageId });
    expect(await view(id, ben)).toEqual({
      title: 'Photo',
      text: '',
      detail: { __typename: 'PhotoDetail', description: '', image: { id: imageId } },
    });
    expect(await api.failure(PUBLISH, { input }, ben)).toMatchObject(refused); // who sees it could publish it
  });

  it('of a post that is not public is shown to no visitor without a signed address', async () => {
    const { id: imageId, url } = await uploaded(2);
    const id = await publish({ imageId });
    const statusFor = async () => (await fetch(new URL(new URL(String(url), server.url).pathname, server.url))).status;
    expect(await statusFor()).not.toBe(200);
    await publish({ imageId, audience: 'PUBLIC' });
    expect(await statusFor()).toBe(200);
    expect(await view(id, null)).toBeNull();
  });
});

describe('the description of a photo', () => {
  it.each([
    ['in several lines', ' A boat\r\nin the fog ', 'A boat\nin the fog'],
    ['of the greatest length', 'b'.repeat(1500), 'b'.repeat(1500)],
    ['that shows nothing', ' \u200b\n', ''],
    ['that is null', null, ''],
  ])('%s is kept with the photo, when the text is edited, too, and empty if it is none', async (_case, given, kept) => {
    const { id: imageId } = await uploaded(3);
    const id = await publish({ imageId, description: given });
    const detail = { __typename: 'PhotoDetail', description: kept, image: { id: imageId } };
    expect(await view(id, ben)).toEqual({ title: 'Photo', text: '', detail });
    const stored = { asset_id: idOfType('Asset', String(imageId)), ...(kept && { description: kept }) };
    expect(await detailOf(id)).toEqual(stored);
    await api.ask(EDIT, { id }, ann);
    expect(await view(id, ben)).toEqual({ title: 'At sea', text: 'At sea', detail });
  });

  it('is in the export of its author until the post is deleted, and in no other', async () => {
    const { id: imageId } = await uploaded(4);
    const id = await publish({ imageId, description: 'A boat in the fog' });
    await api.delivered();
    const exported = async (member: Member) => {
      const rows: object[] = [];
      for await (const { row } of personalData.rows(database.db, member.account)) rows.push(row);
      return JSON.stringify(rows);
    };
    expect(await exported(ann)).toContain('"description":"A boat in the fog"');
    expect(await exported(ben)).not.toContain('A boat in the fog');
    await api.remove(ann, id);
    expect(await detailOf(id)).toBeUndefined();
    expect(await exported(ann)).not.toContain('A boat in the fog');
  });
});
