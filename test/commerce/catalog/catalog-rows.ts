/** The rows of the catalog and its categories. */
import { expect } from 'vitest';
import type { Row } from '../../contract/row.js';

const text = expect.any(String);
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const page = { hasNextPage: false, endCursor: text };

const album = {
  sku: 'LP-1',
  title: 'Gling-Gló',
  type: 'AUDIO_ALBUM',
  price: euros(1500),
  listPrice: euros(2000),
  categories: ['jazz'],
  properties: [{ name: 'colour', value: 'black' }],
  album: { artist: 'Björk', genres: ['Jazz'], issuedOn: '1990-10-01', tracks: [{ title: 'Gloria', seconds: 61 }] },
};
const film = {
  sku: 'F-1',
  title: 'Cléo de 5 à 7',
  type: 'FILM',
  price: euros(900),
  film: { directors: ['Agnès Varda'], actors: ['Corinne Marchand'], issuedOn: '1962-04-11' },
};
const albumCard = { id: text, sku: 'LP-1', title: 'Gling-Gló', price: euros(1500), discountPercent: 25 };
const albumOfList = { ...albumCard, stock: { available: 0 } };
const filmOfList = {
  id: text,
  sku: 'F-1',
  title: 'Cléo de 5 à 7',
  price: euros(900),
  discountPercent: 0,
  stock: { available: 0 },
};
const edges = (...nodes: object[]) => ({ edges: nodes.map((node) => ({ node })) });
const category = (slug: string, name: string, under: string | null = null) => ({ input: { slug, name, under } });

export const catalogRows: readonly Row[] = [
  {
    operation: 'AddCategory',
    before: 'mutation { addCategory(input: { slug: "music", name: "Music" }) { __typename } }',
    variables: category('jazz', 'Jazz', 'music'),
    expected: { addCategory: { __typename: 'Category', slug: 'jazz', ancestors: [{ slug: 'music' }] } },
  },
  {
    operation: 'SaveProducts',
    variables: { products: [album, film, { ...film, sku: '' }] },
    expected: { saveProducts: { saved: 2, rejected: [{ index: 2, code: 'BAD_USER_INPUT', message: text }] } },
  },
  {
    operation: 'Product',
    variables: { sku: 'LP-1' },
    visitor: true,
    expected: {
      product: {
        ...albumOfList,
        description: null,
        listPrice: euros(2000),
        properties: album.properties,
        categories: [{ slug: 'jazz', name: 'Jazz' }],
        artist: 'Björk',
        genres: ['Jazz'],
        issuedOn: '1990-10-01',
        tracks: album.album.tracks,
      },
    },
  },
  {
    operation: 'Discounted',
    variables: { atLeast: 20 },
    visitor: true,
    expected: { products: { ...edges(albumOfList), pageInfo: page } },
  },
  {
    operation: 'InPriceRange',
    variables: { min: 500, max: 2000 },
    visitor: true,
    expected: { products: { ...edges(filmOfList, albumOfList), pageInfo: page } },
  },
  {
    operation: 'AlbumsOfGenre',
    variables: { genre: 'Jazz' },
    visitor: true,
    expected: { albums: { ...edges({ ...albumOfList, artist: 'Björk', issuedOn: '1990-10-01' }), pageInfo: page } },
  },
  {
    operation: 'FilmsOfActor',
    variables: { actor: 'Corinne Marchand' },
    visitor: true,
    expected: {
      films: { ...edges({ ...filmOfList, directors: ['Agnès Varda'], issuedOn: '1962-04-11' }), pageInfo: page },
    },
  },
  {
    operation: 'Search',
    variables: { text: 'cleo' },
    visitor: true,
    expected: { searchProducts: edges(filmOfList) },
  },
  {
    operation: 'Complete',
    variables: { prefix: 'gling-glo' },
    visitor: true,
    expected: { completeTitle: [{ title: 'Gling-Gló', sku: 'LP-1' }] },
  },
  {
    operation: 'WithProperty',
    variables: { name: 'colour', value: 'black' },
    visitor: true,
    expected: { products: edges(albumOfList) },
  },
  {
    operation: 'CategoryPage',
    variables: { slug: 'music' },
    visitor: true,
    expected: {
      category: {
        id: text,
        slug: 'music',
        name: 'Music',
        ancestors: [],
        children: [{ slug: 'jazz', name: 'Jazz', productCount: 1 }],
        products: { ...edges({ ...albumOfList, categories: [{ slug: 'jazz', name: 'Jazz' }] }), pageInfo: page },
      },
    },
  },
  {
    operation: 'MoveCategory',
    variables: { slug: 'music', under: 'jazz' },
    expected: { moveCategory: { __typename: 'CategoryCycle', message: text } },
  },
  {
    operation: 'RenameCategory',
    variables: { slug: 'jazz', name: 'Jazz and more', newSlug: 'jazz-and-more' },
    expected: { renameCategory: { __typename: 'Category', slug: 'jazz-and-more', name: 'Jazz and more' } },
  },
  {
    operation: 'RemoveCategory',
    variables: { slug: 'jazz-and-more', moveContentsTo: 'music' },
    expected: { removeCategory: { __typename: 'RemovedCategory', slug: 'jazz-and-more' } },
  },
];
