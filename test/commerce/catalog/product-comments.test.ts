/** Comments on products. */
import { beforeAll, describe, expect, it } from 'vitest';
import { products } from '../../../src/models/commerce/catalog/product.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);

const save = async (list: readonly object[]) => {
  const { data } = await server.request(
    'mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }',
    {
      products: list.map((each) => ({
        title: 'A thing',
        type: 'THING',
        price: { amount: 100, currency: 'EUR' },
        ...each,
      })),
    },
  );
  expect(data).toEqual({ saveProducts: { saved: list.length } });
};

const POST = `mutation ($nodeId: ID!, $text: String!, $replyTo: ID) {
  postComment(nodeId: $nodeId, text: $text, replyTo: $replyTo) {
    __typename
    ... on Comment { id slug url on { __typename id commentCount ... on Product { sku } } }
    ... on Refusal { message }
  }
}`;
const DISCUSSION = `query ($sku: String!, $order: CommentOrder! = THREADED) {
  product(sku: $sku) {
    commentPolicy commentDesign commentCount
    discussion(order: $order) { edges { node { slug text on { __typename } } } }
  }
}`;
const CHANGE_POLICY = `mutation ($nodeId: ID!, $policy: CommentPolicy!) {
  changeCommentPolicy(nodeId: $nodeId, policy: $policy) { __typename id commentPolicy }
}`;
const CHANGE_DESIGN = `mutation ($nodeId: ID!, $design: CommentDesign!) {
  changeCommentDesign(nodeId: $nodeId, design: $design) {
    __typename
    ... on CommentMove { from to }
    ... on Refusal { message }
  }
}`;

const album = { artist: 'Ann', issuedOn: '2020-01-01' };
const film = { issuedOn: '2020-01-01' };
const nodeIdOf = (sku: string) => toGlobalId('Product', sku);

beforeAll(() =>
  save([
    { sku: 'thing', type: 'THING' },
    { sku: 'a:b.c', type: 'AUDIO_ALBUM', album },
    { sku: 'film', type: 'FILM', film },
    { sku: 'kept' },
    { sku: 'moved' },
  ]),
);

describe('a product', () => {
  it.each([
    ['thing', 'GeneralProduct', '/shop/p/thing'],
    ['a:b.c', 'AudioAlbum', '/shop/p/a%3Ab.c'],
    ['film', 'Film', '/shop/p/film'],
  ])('%s is commented on as a %s', async (sku, type, path) => {
    const { data } = await server.request(POST, { nodeId: nodeIdOf(sku), text: 'Good' });
    const on = { __typename: type, id: nodeIdOf(sku), commentCount: 1, sku };
    expect(data).toMatchObject({ postComment: { slug: '1', on } });
    expect(data).toHaveProperty('postComment.url', expect.stringMatching(`${path}#comment-1$`));
    const { id } = (data as { postComment: { id: string } }).postComment;
    await server.request(POST, { nodeId: nodeIdOf(sku), text: 'So it is', replyTo: id });
    const edges = [
      { node: { slug: '1', text: 'Good', on: { __typename: type } } },
      { node: { slug: '1/2', text: 'So it is', on: { __typename: type } } },
    ];
    const state = { commentPolicy: 'MEMBERS', commentDesign: 'ONE_EACH', commentCount: 2 };
    expect((await server.request(DISCUSSION, { sku })).data).toEqual({ product: { ...state, discussion: { edges } } });
    const newest = await server.request(DISCUSSION, { sku, order: 'NEWEST_FIRST' });
    expect(newest.data).toMatchObject({ product: { discussion: { edges: edges.toReversed() } } });
  });

  it('keeps its policy and its comments when it is saved again', async () => {
    const nodeId = nodeIdOf('kept');
    const changed = await server.request(CHANGE_POLICY, { nodeId, policy: 'NOBODY' });
    expect(changed.data).toEqual({
      changeCommentPolicy: { __typename: 'GeneralProduct', id: nodeId, commentPolicy: 'NOBODY' },
    });
    await save([{ sku: 'kept', title: 'Another title' }]);
    expect(await products(database.db).findOne({ _id: 'kept' })).toMatchObject({ comment_policy: 'NOBODY' });
    const { data } = await server.request(POST, { nodeId, text: 'Too late' });
    expect(data).toMatchObject({ postComment: { __typename: 'CommentsClosed' } });
  });

  it('has a policy that only editors change, who are told of an unknown SKU', async () => {
    const nodeId = nodeIdOf('thing');
    const visitor = await server.request(CHANGE_POLICY, { nodeId, policy: 'NOBODY' }, null);
    expect(visitor.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
    const unknown = await server.request(CHANGE_POLICY, { nodeId: nodeIdOf('none'), policy: 'NOBODY' });
    expect(unknown.errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
  });

  it('has its comments in documents of their own or in pages, and not in one document', async () => {
    const nodeId = nodeIdOf('moved');
    const refused = await server.request(CHANGE_DESIGN, { nodeId, design: 'EMBEDDED' });
    expect(refused.data).toEqual({
      changeCommentDesign: {
        __typename: 'CommentDesignNotPossible',
        message: 'The discussion can have one of these designs: ONE_EACH, HYBRID',
      },
    });
    const moved = await server.request(CHANGE_DESIGN, { nodeId, design: 'HYBRID' });
    expect(moved.data).toEqual({ changeCommentDesign: { __typename: 'CommentMove', from: 'ONE_EACH', to: 'HYBRID' } });
  });
});
