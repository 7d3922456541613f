/** Pictures of nodes through the API. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { formOf, upload as uploadPicture } from '../../system/assets/asset-client.js';
import { makePicture } from '../../system/assets/picture-support.js';

const database = useDatabase();
const server = useServer(database);
let gallery: string;
let blog: string;
let jpeg: Buffer;

const create = async (input: object): Promise<Record<string, string>> => {
  const query = 'mutation ($input: CreateNodeInput!) { createNode(input: $input) { ... on ContentNode { id path } } }';
  const answer = await server.request<{ createNode: Record<string, string> }>(query, { input });
  expect(answer.errors).toBeUndefined();
  return answer.data?.createNode ?? {};
};

interface PhotoAnswer {
  readonly id: string;
  readonly image: { readonly id: string; readonly url: string };
}

function requirePhoto(answer: PhotoAnswer | undefined): PhotoAnswer {
  if (!answer) throw new Error('There is no answer');
  return answer;
}

async function send(query: string, variables: object, bytes: Buffer) {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    body: formOf(query, variables, bytes),
    headers: { 'apollo-require-preflight': '1', authorization: `Bearer ${server.token}` },
  });
  return (await response.json()) as {
    data?: Record<string, PhotoAnswer>;
    errors?: unknown;
    extensions?: object;
  };
}

const UPLOAD = `mutation ($parentId: ID!, $file: Upload!, $input: PhotoInput!) {
  uploadPhoto(parentId: $parentId, file: $file, input: $input) {
    __typename ... on Photo { id title version image { id url width } } ... on Refusal { message }
  }
}`;
const REPLACE = `mutation ($id: ID!, $file: Upload!) {
  replacePhoto(id: $id, file: $file) {
    __typename ... on Photo { id title version image { id url width } } ... on Refusal { message }
  }
}`;

beforeAll(async () => {
  gallery = (await create({ type: 'GALLERY', title: 'Photos' })).id ?? '';
  blog = (await create({ type: 'BLOG', title: 'Blog' })).id ?? '';
  jpeg = await makePicture('image/jpeg', { width: 700, height: 500 });
});

const fetched = (path: string) => fetch(`${server.url}${path}`);

describe('a photo', () => {
  it('is uploaded, replaced and served, to everybody once it is published', async () => {
    const published = { title: 'Cat', publishedAt: new Date().toISOString() };
    const uploaded = await send(UPLOAD, { parentId: gallery, input: published }, jpeg);
    expect(uploaded.extensions).toMatchObject({ writtenAt: expect.any(String) });
    const { id, image } = requirePhoto(uploaded.data?.uploadPhoto);
    expect(uploaded.data?.uploadPhoto).toMatchObject({ __typename: 'Photo', version: 1, image: { width: 700 } });
    expect(image.url).toMatch(/^\/assets\/[0-9a-f-]{36}$/);
    expect((await fetched(image.url)).status).toBe(200);
    const replaced = await send(REPLACE, { id }, await makePicture('image/png', { width: 30 }));
    expect(replaced.extensions).toMatchObject({ writtenAt: expect.any(String) });
    expect(replaced.data?.replacePhoto).toMatchObject({ id, title: 'Cat', version: 2, image: { width: 30 } });
    const versions = await server.request(
      'query ($id: ID!) { node(id: $id) { ... on Photo { image { id } versions { edges { node { imageId } } } } } }',
      { id },
    );
    const { id: second } = requirePhoto(replaced.data?.replacePhoto).image;
    expect(versions.data).toEqual({
      node: {
        image: { id: second },
        versions: { edges: [{ node: { imageId: second } }, { node: { imageId: image.id } }] },
      },
    });
  });

  it('that is a draft has a signed address', async () => {
    const { data } = await send(UPLOAD, { parentId: gallery, input: { title: 'Draft' } }, jpeg);
    const { image } = requirePhoto(data?.uploadPhoto);
    expect(image.url).toContain('?until=');
    expect((await fetched(image.url.split('?')[0] ?? '')).status).toBe(404);
    expect((await fetched(image.url)).status).toBe(200);
  });

  it('is refused when it is no picture, or there is no such photo', async () => {
    const none = Buffer.from('no picture');
    const upload = await send(UPLOAD, { parentId: gallery, input: { title: 'None' } }, none);
    expect(upload.data?.uploadPhoto).toMatchObject({ __typename: 'NotAPicture' });
    const replace = await send(REPLACE, { id: blog }, jpeg);
    expect(replace.data?.replacePhoto).toMatchObject({ __typename: 'NodeNotFound' });
  });
});

describe('the order of a gallery', () => {
  const PLACE = `mutation ($id: ID!, $after: ID) {
    placePhoto(id: $id, after: $after) { __typename ... on Photo { title version } ... on Refusal { message } }
  }`;
  const SHOWN = `query ($id: ID!) { node(id: $id) { ... on Gallery {
    photoOrder photos { edges { node { title } } } allPhotos(first: 100) { edges { node { title } } }
  } } }`;
  interface Titles {
    readonly edges: readonly { readonly node: { readonly title: string } }[];
  }
  interface Shown {
    readonly node: { readonly photoOrder: string; readonly photos: Titles; readonly allPhotos: Titles };
  }
  const titlesOf = ({ edges }: Titles) => edges.map(({ node }) => node.title);

  it('is what editors make of it, and whoever follows the gallery learns of it', async () => {
    const publishedAt = '2026-01-01T00:00:00Z';
    const ordered = (await create({ type: 'GALLERY', title: 'Ordered', publishedAt })).id ?? '';
    const [one, two, three] = await Promise.all(
      ['One', 'Two', 'Three'].map((title, at) =>
        create({
          type: 'PHOTO',
          parentId: ordered,
          title,
          publishedAt: at === 2 ? null : `2026-01-0${at + 1}T00:00:00Z`,
        }),
      ),
    );
    const shown = async () => (await server.request<Shown>(SHOWN, { id: ordered })).data?.node;
    expect((await shown())?.photoOrder).toBe('NEWEST_FIRST');
    const events = server.connect(null).iterate<{ nodeChanged: { node: { photoOrder: string } } }>({
      query:
        'subscription ($id: ID!) { nodeChanged(id: $id) { ... on NodeEvent { node { ... on Gallery { photoOrder } } } } }',
      variables: { id: ordered },
    });
    await events.next();
    const { data } = await server.request(PLACE, { id: two?.id, after: one?.id });
    expect(data).toEqual({ placePhoto: { __typename: 'Photo', title: 'Two', version: 1 } });
    expect((await events.next()).value.data.nodeChanged.node.photoOrder).toBe('BY_HAND');
    await server.request(PLACE, { id: three?.id, after: one?.id });
    await events.next(); // the order was the same kind before, but is another one
    const { photos, allPhotos } = (await shown()) ?? { photos: { edges: [] }, allPhotos: { edges: [] } };
    expect([titlesOf(photos), titlesOf(allPhotos)]).toEqual([
      ['One', 'Two'],
      ['One', 'Three', 'Two'],
    ]);
  });

  it('is for editors', async () => {
    const [photo] = await Promise.all([create({ type: 'PHOTO', parentId: gallery, title: 'Alone' })]);
    const refused = await server.request(PLACE, { id: photo?.id }, null);
    expect(refused.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const query =
      'query ($path: String!) { nodeByPath(path: $path) { ... on Gallery { allPhotos { edges { cursor } } } } }';
    const hidden = await server.request(query, { path: '/ordered' }, null);
    expect(hidden.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const other = await server.request(PLACE, { id: photo?.id, after: blog });
    expect(other.data).toMatchObject({ placePhoto: { __typename: 'PhotoNotInGallery' } });
    expect((await server.request(PLACE, { id: blog })).data).toMatchObject({
      placePhoto: { __typename: 'NodeNotFound' },
    });
  });
});

describe('the HTML of a text', () => {
  it('shows its pictures in the sizes that they have, and nothing that a browser runs', async () => {
    const { data } = await uploadPicture(server, server.token, jpeg);
    const assetId = data?.uploadPicture.id;
    const text = `Hello <script>alert(1)</script>\n\n![A cat](asset:${assetId})`;
    const { path } = await create({ type: 'BLOG_POST', parentId: blog, title: 'Post', text, publishedAt: new Date() });
    const query = 'query ($path: String!) { nodeByPath(path: $path) { ... on BlogPost { html } } }';
    const answer = await server.request<{ nodeByPath: { html: string } }>(query, { path }, null);
    const html = answer.data?.nodeByPath.html ?? '';
    expect(html).toMatch(
      /^<p>Hello &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/p>\n<p><img src="\/assets\/[\w-]{36}" srcset="\/assets\/[\w-]{36}\/320 320w, \/assets\/[\w-]{36}\/640 640w, \/assets\/[\w-]{36} 700w" sizes="[^"]+" alt="A cat" width="700" height="500" loading="lazy" \/><\/p>\n$/,
    );
    expect(await server.request(query, { path }, null)).toEqual(answer); // from the cache
  });

  it('and the frame of a video are there for every kind of node that has them', async () => {
    const videoUrl = 'https://youtu.be/dQw4w9WgXcQ';
    const paths = await Promise.all([
      create({ type: 'PAGE', title: 'Page', text: '*a*' }),
      create({ type: 'VIDEO', parentId: blog, title: 'Video', text: '*a*', videoUrl }),
      create({ type: 'QUOTE', parentId: blog, title: 'Quote', text: '*a*' }),
      create({ type: 'IMAGE', parentId: blog, title: 'Image', text: '*a*' }),
    ]);
    const query = `query ($path: String!) { nodeByPath(path: $path) {
      ... on Page { html } ... on Video { html embedUrl } ... on Quote { html } ... on ImagePost { html image { id } }
    } }`;
    const found = await Promise.all(
      paths.map(async ({ path }) => (await server.request(query, { path })).data?.nodeByPath),
    );
    const html = '<p><em>a</em></p>\n';
    const embedUrl = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ';
    expect(found).toEqual([{ html }, { html, embedUrl }, { html }, { html, image: null }]);
  });
});

describe('an input of an upload that is wrong', () => {
  it.each([
    ['title', ' ', 'title'],
    ['slug', 'Not a slug', 'slug'],
    ['description', 'x'.repeat(5001), 'description'],
    ['tags', [''], 'tags.0'],
    ['publishedAt', '9999-06-01T00:00:00Z', 'publishedAt'],
    ['keepLocation', 'yes', 'keepLocation'],
  ])('is named by its argument: %s', async (field, value, place) => {
    const query = UPLOAD.replaceAll('$input', '$other');
    const variables = { parentId: gallery, other: { title: 'A photo', [field]: value } };
    expect((await send(query, variables, jpeg)).errors).toMatchObject([{ extensions: { field: `input.${place}` } }]);
  });
});
