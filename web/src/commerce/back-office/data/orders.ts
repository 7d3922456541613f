/** Orders and their mutations. */
import { graphql } from '../../../../generated/gql.js';
import type { OrderDetailQuery, OrderFieldsFragment } from '../../../../generated/graphql.js';
import { mutateOnce } from '../../../api/client.js';

export type Order = OrderFieldsFragment;

graphql(`
  fragment OrderFields on Order {
    id
    placedAt
    total { amount currency }
    lines { sku title quantity unitPrice { amount currency } }
    buyer { id name }
    payer { id name }
    enteredBy { id name }
  }
`);

export const OrderDetailDocument = graphql(`
  query OrderDetail($id: ID!) {
    order(id: $id) {
      ...OrderFields
      raises { id title quantity unitPrice { amount currency } at takenBackAt }
      refunds { amount { amount currency } at }
    }
  }
`);

export type OrderRaise = NonNullable<OrderDetailQuery['order']>['raises'][number];

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

const RefundOrderDocument = graphql(`
  mutation RefundOrder($orderId: ID!, $raise: ID, $key: String!) {
    refundOrder(orderId: $orderId, raise: $raise, idempotencyKey: $key) {
      __typename
      ... on Order { ...OrderFields }
      ... on Refusal { message }
    }
  }
`);

const ofOrders = { additionalTypenames: ['Order', 'OrderConnection', 'Account', 'TransferConnection'] };

/** @returns why it was not changed, or null */
export async function raiseOrder(orderId: string, sku: string, by: number): Promise<string | null> {
  const answer = await mutateOnce(RaiseOrderDocument, { orderId, sku, by }, ofOrders);
  if (typeof answer === 'string') return answer;
  const { raiseOrderQuantity: outcome } = answer;
  return 'message' in outcome ? outcome.message : null;
}

/** @param raise the raise to refund; null: everything that is left @returns why it was not refunded, or null */
export async function refundOrder(orderId: string, raise: string | null): Promise<string | null> {
  const answer = await mutateOnce(RefundOrderDocument, { orderId, raise }, ofOrders);
  if (typeof answer === 'string') return answer;
  const { refundOrder: outcome } = answer;
  return 'message' in outcome ? outcome.message : null;
}

/** The state of an order. */
export const stateOf = ({ lines }: Order) =>
  lines.length === 0
    ? ({ words: { name: 'Refunded', meaning: 'It was fully refunded' }, tone: 'over' } as const)
    : ({ words: { name: 'Paid', meaning: 'An order is created once it is paid for' }, tone: 'done' } as const);

type Party = NonNullable<Order['buyer']>;

export const partyName = (party: Party | null | undefined): string =>
  party ? party.name || 'a deleted user' : 'a guest';

/** Who bought, paid for and entered the order, without repeating a name. */
export function partiesOf({ buyer, payer, enteredBy }: Order): string {
  const bought = `Bought ${payer.id === buyer?.id ? 'and paid for ' : ''}by ${partyName(buyer)}`;
  const paid = payer.id === buyer?.id ? '' : `, paid for by ${partyName(payer)}`;
  return `${bought}${paid}${enteredBy && enteredBy.id !== buyer?.id ? `, entered by ${partyName(enteredBy)}` : ''}`;
}

/** @returns the error, or null */
export async function deleteOrder(orderId: string): Promise<string | null> {
  const answer = await mutateOnce(DeleteOrderDocument, { orderId }, ofOrders);
  return typeof answer === 'string' ? answer : null; // otherwise it is deleted, perhaps by someone else
}
