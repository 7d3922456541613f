/** Pictures of authors: their posts show what their authors may see, and nothing that is hidden from them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { findNode, type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { restoreVersion } from '../../../src/models/content/nodes/node-edit.js';
import { deleteNode } from '../../../src/models/content/nodes/node-trash.js';
import { type AssetDocument, assetFiles } from '../../../src/models/system/assets/asset.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addSignedIn, type SignedIn, testAct } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { makePicture, store } from '../../system/assets/picture-support.js';
import { add, addPost, edit, NOW, requireStored, write } from './node-support.js';

const database = useDatabase();
const server = useServer(database);

let ada: SignedIn;
let bob: SignedIn;
let editor: SignedIn;
let blog: NodeDocument;
let gallery: NodeDocument;
let seed = 0;

const signedIn = (name: string, role: 'AUTHOR' | 'EDITOR') =>
  addSignedIn(database.db, server.services.config, name, role);

beforeAll(async () => {
  ada = await signedIn('ada', 'AUTHOR');
  bob = await signedIn('bob', 'AUTHOR');
  editor = await signedIn('editor', 'EDITOR');
  blog = await add(database.db, { type: 'BLOG', title: 'Blog', slug: 'blog' }, { author: editor.reference });
  gallery = await add(database.db, { type: 'GALLERY', title: 'Photos', slug: 'photos' }, { author: editor.reference });
  for (let index = 0; index < 60; index += 1) await add(database.db, { title: `Page ${index}` }); // so that an index makes a difference
});

const uploadedBy = async ({ reference }: SignedIn): Promise<AssetDocument> => {
  seed += 1;
  const bytes = await makePicture('image/png', { width: 20, height: 10 }, seed);
  return store(server.services.assets, database.db, bytes, false, reference._id);
};
const photoOf = (person: SignedIn, asset: AssetDocument, publishedAt: Date | null) =>
  add(
    database.db,
    { type: 'PHOTO', parentId: gallery._id, title: `Photo ${seed}`, imageId: idOf(asset), publishedAt },
    { author: person.reference },
  );
/** A published photo that was put into the trash. */
const trashedPictureOf = async (person: SignedIn) => {
  const asset = await uploadedBy(person);
  const { _id: id, nonce } = await photoOf(person, asset, NOW);
  await deleteNode(database.db, write({ author: person.reference }), testAct(), { id, nonce });
  return asset;
};
const draftPictureOf = async (person: SignedIn) => {
  const asset = await uploadedBy(person);
  await photoOf(person, asset, null);
  return asset;
};
const idOf = ({ _id }: AssetDocument) => toGlobalId('Asset', _id);
const inText = (asset: AssetDocument) => `![a](asset:${idOf(asset)})`;
const statusOf = async ({ _id }: AssetDocument) => (await fetch(`${server.url}/assets/${_id}`)).status;

const CREATE = `mutation ($input: CreateNodeInput!) {
  createNode(input: $input) { __typename ... on ContentNode { id } ... on BlogPost { html } }
}`;
const EDIT = `mutation ($id: ID!, $nonce: String!, $changes: NodeChanges!) {
  editNode(id: $id, nonce: $nonce, changes: $changes) { __typename }
}`;
let posts = 0;
const create = (person: SignedIn, input: object) => {
  posts += 1;
  return server.request<{ createNode: { __typename: string; html?: string } }>(
    CREATE,
    {
      input: {
        parentId: toGlobalId('ContentNode', blog._id),
        title: 'New',
        slug: `new-${posts}`,
        publishedAt: NOW,
        ...input,
      },
    },
    person.token,
  );
};
const preview = async (person: SignedIn, text: string) => {
  const query = 'query ($text: String!) { previewMarkdown(text: $text) }';
  return (await server.request<{ previewMarkdown: string }>(query, { text }, person.token)).data?.previewMarkdown;
};
const NO_SUCH = { extensions: { code: 'BAD_USER_INPUT' } };

describe('a picture that is hidden from an author', () => {
  it.each([
    ['that was published and is in the trash', trashedPictureOf],
    ['of a draft', draftPictureOf],
    ['that was uploaded only', uploadedBy],
  ])('%s is refused in a new node as one that does not exist, and stays hidden', async (_case, pictureOf) => {
    const asset = await pictureOf(bob);
    const before = await nodes(database.db).countDocuments({});
    const stored = await assetFiles(database.db).findOne({ _id: asset._id });
    const nobodys = { ...asset, _id: '00000000-0000-4000-8000-000000000000' };
    for (const input of [
      (of: AssetDocument) => ({ type: 'IMAGE', imageId: idOf(of) }),
      (of: AssetDocument) => ({ type: 'BLOG_POST', text: inText(of) }),
    ]) {
      const { errors } = await create(ada, input(asset));
      expect(errors?.[0]).toMatchObject(NO_SUCH);
      const { errors: missing } = await create(ada, input(nobodys));
      expect(errors?.map(({ message, extensions }) => [message, extensions.field])).toEqual(
        missing?.map(({ message, extensions }) => [message, extensions.field]),
      );
    }
    expect(await statusOf(asset)).toBe(404);
    expect(await nodes(database.db).countDocuments({})).toBe(before);
    expect(await assetFiles(database.db).findOne({ _id: asset._id })).toEqual(stored);
  });

  it('is refused in an edit of their own published post, which stays as it is', async () => {
    const asset = await draftPictureOf(bob);
    const post = await addPost(database.db, blog, 'Own', { slug: 'own' }, { author: ada.reference });
    const variables = {
      id: toGlobalId('ContentNode', post._id),
      nonce: post.nonce,
      changes: { text: `${inText(await uploadedBy(ada))} ${inText(asset)}` },
    };
    expect((await server.request(EDIT, variables, ada.token)).errors?.[0]).toMatchObject(NO_SUCH);
    expect(await findNode(database.db, post._id)).toEqual(post);
    expect(await statusOf(asset)).toBe(404);
  });

  it('is not in the preview of a text, and editors see it there', async () => {
    const asset = await draftPictureOf(bob);
    const text = inText(asset);
    let draft = await addPost(database.db, blog, 'Saved', { text, publishedAt: null }, { author: bob.reference });
    for (let save = 0; save < 40; save += 1)
      draft = requireStored(await edit(database.db, draft, { title: `Saved ${save}` }, { author: bob.reference }));
    expect(await preview(ada, inText(asset))).not.toContain('<img');
    for (const person of [bob, editor]) expect(await preview(person, inText(asset))).toContain('signature=');
  });
});

describe('a picture that an author may see', () => {
  const expectShown = async (asset: AssetDocument) => {
    expect(await preview(ada, inText(asset))).toContain(asset._id);
    const { data, errors } = await create(ada, { type: 'BLOG_POST', text: inText(asset) });
    expect(errors).toBeUndefined();
    expect(data?.createNode.html).toContain(asset._id);
    expect((await create(ada, { type: 'IMAGE', imageId: idOf(asset) })).errors).toBeUndefined();
    expect(await statusOf(asset)).toBe(200);
  };

  it('because they have uploaded it is shown by their posts', async () => {
    await expectShown(await uploadedBy(ada));
  });

  it('because a node of another is public is shown by their posts', async () => {
    const asset = await uploadedBy(bob);
    await photoOf(bob, asset, NOW);
    await expectShown(asset);
  });

  it('because a product shows it is shown by their posts', async () => {
    const asset = await uploadedBy(editor);
    const thing = { sku: 'A', title: 'A thing', type: 'THING', price: { amount: 100, currency: 'EUR' } };
    const { errors } = await server.request(
      `mutation ($products: [ProductInput!]!, $sku: String!, $imageIds: [ID!]!) {
        saveProducts(products: $products) { saved }
        changeProductImages(sku: $sku, imageIds: $imageIds) { __typename }
      }`,
      { products: [thing], sku: 'A', imageIds: [idOf(asset)] },
    );
    expect(errors).toBeUndefined();
    await expectShown(asset);
  });

  it('because an editor has put it into their draft, and taken it out again, is shown by their posts', async () => {
    const asset = await uploadedBy(editor);
    const draft = await addPost(
      database.db,
      blog,
      'Helped',
      { slug: 'helped', publishedAt: null },
      { author: ada.reference },
    );
    const byEditor = { author: editor.reference };
    const helped = requireStored(await edit(database.db, draft, { text: inText(asset) }, byEditor));
    requireStored(await edit(database.db, helped, { text: 'Without' }, byEditor));
    await expectShown(asset);
  });

  it('because of an old version of their node comes back with it', async () => {
    const { db } = database;
    const asset = await uploadedBy(editor);
    const byAda = { author: ada.reference, ownOnly: true };
    const shown = { slug: 'restored', text: inText(asset) };
    const post = await addPost(db, blog, 'Restored', shown, { author: ada.reference });
    const without = requireStored(await edit(db, post, { text: 'Without' }, byAda));
    const restored = await restoreVersion(db, write(byAda), { id: post._id, nonce: without.nonce, version: 1 });
    expect(restored).toMatchObject({ version: 3, asset_ids: [asset._id] });
  });

  it('stays in their post when it is hidden from them later', async () => {
    const { db } = database;
    const asset = await uploadedBy(bob);
    const photo = await photoOf(bob, asset, NOW);
    const isPublicPicture = (id: string) => server.services.assets.isPublic(id);
    const byAda = { author: ada.reference, ownOnly: true, isPublicPicture };
    const post = await addPost(db, blog, 'Kept', { slug: 'kept', text: inText(asset), publishedAt: null }, byAda);
    await deleteNode(db, write({ author: bob.reference }), testAct(), { id: photo._id, nonce: photo.nonce });
    const edited = await edit(db, post, { text: `More ${inText(asset)}` }, byAda);
    expect(edited).toMatchObject({ version: 2, asset_ids: [asset._id] });
  });
});

it('an editor shows every picture', async () => {
  const asset = await trashedPictureOf(bob);
  expect((await create(editor, { type: 'IMAGE', imageId: idOf(asset) })).errors).toBeUndefined();
  expect(await statusOf(asset)).toBe(200);
});
