/** Carts as staff see them, and the operations of the till. */
import { graphql } from '../../../../generated/gql.js';
import type {
  CartFieldsFragment,
  CartState,
  PayAtTillMutation,
  StaffCartChangedSubscription,
} from '../../../../generated/graphql.js';
import { mutate, mutateOnce } from '../../../api/client.js';
import type { EventOf } from '../../../api/subscription.js';
import { type Live, useLive } from '../../../api/use-live.js';

export type Cart = CartFieldsFragment;
export type CartLine = Cart['lines'][number];

graphql(`
  fragment CartFields on Cart {
    id
    state
    lastModified
    total { amount currency }
    lines { sku title quantity unitPrice { amount currency } }
  }
`);

export const CartsDocument = graphql(`
  query Carts($state: CartState!, $first: Int!, $after: String) {
    carts(state: $state, first: $first, after: $after) {
      edges { cursor node { ...CartFields } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const StaffCartChangedDocument = graphql(`
  subscription StaffCartChanged($id: ID!, $after: String) {
    cartChanged(id: $id, after: $after) { cursor cart { ...CartFields } }
  }
`);

const StartCartAtTillDocument = graphql(`
  mutation StartCartAtTill {
    startCart { id }
  }
`);

const AddAtTillDocument = graphql(`
  mutation AddAtTill($cartId: ID!, $sku: String!, $quantity: Int!, $key: String!) {
    addToCart(cartId: $cartId, sku: $sku, quantity: $quantity, idempotencyKey: $key) {
      __typename
      ... on Refusal { message }
    }
  }
`);

const ChangeAtTillDocument = graphql(`
  mutation ChangeAtTill($cartId: ID!, $sku: String!, $quantity: Int!, $key: String!) {
    changeQuantity(cartId: $cartId, sku: $sku, quantity: $quantity, idempotencyKey: $key) {
      __typename
      ... on Refusal { message }
    }
  }
`);

const RemoveAtTillDocument = graphql(`
  mutation RemoveAtTill($cartId: ID!, $sku: String!, $key: String!) {
    removeFromCart(cartId: $cartId, sku: $sku, idempotencyKey: $key) {
      __typename
      ... on Refusal { message }
    }
  }
`);

const PayAtTillDocument = graphql(`
  mutation PayAtTill($cartId: ID!, $account: ID!, $key: String!) {
    checkOut(cartId: $cartId, payment: { account: $account }, idempotencyKey: $key) {
      __typename
      ... on Order { ...OrderFields }
      ... on Refusal { message }
    }
  }
`);

const takeCart = (_before: Cart | null, { cart }: EventOf<StaffCartChangedSubscription>): Cart => cart;

/** Follows a cart. @param id null: none */
export const useCart = (id: string | null): Live<Cart> =>
  useLive(StaffCartChangedDocument, id === null ? null : { id }, takeCart);

const ofCarts = { additionalTypenames: ['CartConnection'] };

/** @returns the id of a new cart, or null and the error */
export async function startCart(): Promise<{ readonly id: string | null; readonly failure: string | null }> {
  const answer = await mutate(StartCartAtTillDocument, {}, ofCarts);
  return typeof answer === 'string' ? { id: null, failure: answer } : { id: answer.startCart.id, failure: null };
}

const messageOf = (outcome: { readonly __typename: string; readonly message?: string }): string | null =>
  outcome.message ?? null;

/** @returns why it was refused, or null */
export async function addLine(cartId: string, sku: string, quantity: number): Promise<string | null> {
  const answer = await mutateOnce(AddAtTillDocument, { cartId, sku, quantity });
  return typeof answer === 'string' ? answer : messageOf(answer.addToCart);
}

/** @returns why it was refused, or null */
export async function changeLine(cartId: string, sku: string, quantity: number): Promise<string | null> {
  const answer = await mutateOnce(ChangeAtTillDocument, { cartId, sku, quantity });
  return typeof answer === 'string' ? answer : messageOf(answer.changeQuantity);
}

/** @returns why it was refused, or null */
export async function removeLine(cartId: string, sku: string): Promise<string | null> {
  const answer = await mutateOnce(RemoveAtTillDocument, { cartId, sku });
  return typeof answer === 'string' ? answer : messageOf(answer.removeFromCart);
}

/** The types whose lists a payment changes. */
const ofPayment = { additionalTypenames: ['OrderConnection', 'CartConnection', 'Account', 'TransferConnection'] };

export type PaidOrder = Extract<PayAtTillMutation['checkOut'], { __typename: 'Order' }>;

/** @returns the order, or why it was refused */
export async function pay(cartId: string, account: string): Promise<PaidOrder | string> {
  const answer = await mutateOnce(PayAtTillDocument, { cartId, account }, ofPayment);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.checkOut ? answer.checkOut.message : answer.checkOut;
}

export const cartStates: Readonly<Record<CartState, { readonly name: string; readonly meaning: string }>> = {
  ACTIVE: { name: 'Active', meaning: 'Its units are reserved' },
  PENDING: { name: 'In checkout', meaning: 'It cannot be changed' },
  COMPLETE: { name: 'Paid', meaning: 'It became an order' },
  EXPIRING: { name: 'Expiring', meaning: 'It was inactive for too long, and its stock is being released' },
  EXPIRED: { name: 'Expired', meaning: 'Its stock was released' },
};

/** The total number of units of all lines. */
export const unitsIn = (lines: readonly { readonly quantity: number }[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);
