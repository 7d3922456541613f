/** The contract's row for the discussion of a product, whose authors have profiles. */
import { expect } from 'vitest';
import type { Row } from '../contract/row.js';

const text = expect.any(String);

export const productDiscussionRows: readonly Row[] = [
  {
    before: `mutation { postComment(nodeId: "${Buffer.from('Product:LP-1').toString('base64url')}", text: "A classic") { __typename } }`,
    operation: 'ProductDiscussion',
    variables: { sku: 'LP-1' },
    expected: {
      product: {
        id: text,
        sku: 'LP-1',
        title: text,
        commentPolicy: 'MEMBERS',
        commentDesign: 'ONE_EACH',
        commentCount: 1,
        discussion: {
          edges: [
            {
              node: {
                id: text,
                slug: '1',
                postedAt: text,
                author: { id: text, name: text, profile: { picture: null } },
                text: 'A classic',
              },
            },
          ],
          pageInfo: { hasNextPage: false, endCursor: text },
        },
      },
    },
  },
];
