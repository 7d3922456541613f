/** The contract's rows of pictures and photos. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';
import { makePicture } from '../../system/assets/picture-support.js';

const file = async (width: number, seed: number) =>
  new File([new Uint8Array(await makePicture('image/jpeg', { width, height: 300 }, seed))], 'cat.jpg');

const PUBLISHED = '2026-01-01T00:00:00.000Z';

const picture = (width: number) => ({
  id: expect.any(String),
  url: expect.stringMatching(/^\/assets\//),
  small: expect.stringMatching(/^\/assets\//),
  contentType: 'image/jpeg',
  bytes: expect.any(Number),
  width,
  height: 300,
});

const photo = (version: number, width: number) => ({
  id: expect.any(String),
  type: 'PHOTO',
  slug: 'the-cat',
  title: 'The cat',
  excerpt: '',
  path: '/photos-of-cats/the-cat',
  url: expect.stringContaining('/photos-of-cats/the-cat'),
  state: 'PUBLISHED',
  nonce: expect.any(String),
  version,
  createdAt: expect.any(String),
  editedAt: expect.any(String),
  publishedAt: PUBLISHED,
  tags: ['cats'],
  author: { id: expect.any(String), name: expect.any(String) },
  commentPolicy: 'MEMBERS',
  commentDesign: 'ONE_EACH',
  commentCount: 0,
  image: picture(width),
});

const outcome = (version: number, width: number) => ({ __typename: 'Photo', ...photo(version, width) });

export const photoRows: readonly Row[] = [
  {
    operation: 'UploadPicture',
    variables: { keepLocation: true },
    file: await file(800, 1),
    expected: { uploadPicture: { __typename: 'Asset', ...picture(800) } },
  },
  {
    operation: 'UploadPhoto',
    before: 'mutation { createNode(input: { type: GALLERY, title: "Photos of cats" }) { ... on Gallery { id } } }',
    beforeTells: ({ createNode }: { createNode: { id: string } }) => ({ galleryOfCats: createNode.id }),
    variables: ({ galleryOfCats }) => ({
      parentId: galleryOfCats,
      input: { title: 'The cat', tags: ['cats'], publishedAt: PUBLISHED },
    }),
    file: await file(700, 2),
    expected: { uploadPhoto: outcome(1, 700) },
    tells: ({ uploadPhoto }: { uploadPhoto: { id: string } }) => ({ photoOfCat: uploadPhoto.id }),
  },
  {
    operation: 'ReplacePhoto',
    variables: ({ photoOfCat }) => ({ id: photoOfCat }),
    file: await file(600, 3),
    expected: { replacePhoto: outcome(2, 600) },
  },
  {
    operation: 'Photos',
    variables: { path: '/photos-of-cats' },
    expected: {
      nodeByPath: {
        title: 'Photos of cats',
        photos: { edges: [{ node: photo(2, 600) }], pageInfo: { hasNextPage: false, endCursor: expect.any(String) } },
      },
    },
  },
];
