/** What was bought. */
import { graphql } from '../../generated/gql.js';
import type { OrderFieldsFragment } from '../../generated/graphql.js';
import { mutateOnce } from '../client.js';

export type Order = OrderFieldsFragment;

graphql(`
  fragment OrderFields on Order {
    id
    placedAt
    total { amount currency }
    lines { sku title quantity unitPrice { amount currency } }
  }
`);

export const OrdersDocument = graphql(`
  query Orders($first: Int!, $after: String) {
    orders(first: $first, after: $after) {
      edges { cursor node { ...OrderFields } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const RaiseOrderDocument = graphql(`
  mutation RaiseOrder($orderId: ID!, $sku: String!, $by: Int!, $key: String!) {
    raiseOrderQuantity(orderId: $orderId, sku: $sku, by: $by, idempotencyKey: $key) {
      __typename
      ... on Order { ...OrderFields }
      ... on Refusal { message }
    }
  }
`);

const DeleteOrderDocument = graphql(`
  mutation DeleteOrder($orderId: ID!, $key: String!) {
    deleteOrder(orderId: $orderId, idempotencyKey: $key) {
      __typename
      ... on Refusal { message }
    }
  }
`);

const ofOrders = { additionalTypenames: ['OrderConnection', 'Account', 'TransferConnection'] };

/** @returns the order, or why it was not changed */
export async function raiseOrder(orderId: string, sku: string, by: number): Promise<Order | string> {
  const answer = await mutateOnce(RaiseOrderDocument, { orderId, sku, by }, ofOrders);
  if (typeof answer === 'string') return answer;
  const { raiseOrderQuantity: outcome } = answer;
  return 'message' in outcome ? outcome.message : outcome;
}

/** @returns what went wrong, or null */
export async function deleteOrder(orderId: string): Promise<string | null> {
  const answer = await mutateOnce(DeleteOrderDocument, { orderId }, ofOrders);
  return typeof answer === 'string' ? answer : null; // somebody else may have been quicker
}
