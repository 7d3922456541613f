/**
 * The customer's cart. Its unguessable id is the key to it. The id is kept in this browser, so the cart survives a
 * reload and is shared by all tabs, signed in or not. Its contents arrive by subscription.
 */
import { graphql } from '../../../../generated/gql.js';
import type { CartContentFragment } from '../../../../generated/graphql.js';
import { follow } from '../../../api/subscription.js';
import { createStore } from '../../../kit/base/store.js';
import { type Answered, command, commandOnce, type Failed, isFailed } from './commands.js';

export type Cart = CartContentFragment;
export type CartLine = Cart['lines'][number];

graphql(`
  fragment CartContent on Cart {
    id
    state
    total { amount currency }
    lines {
      sku
      title
      quantity
      unitPrice { amount currency }
      product {
        sku
        type
        title
        price { amount currency }
        image { id url(width: 320) }
        ... on AudioAlbum { artist }
        ... on Film { directors }
      }
    }
  }
`);

graphql(`
  fragment LineRefusal on Refusal {
    __typename
    message
    ... on InsufficientStock { available }
    ... on CartNotActive { state }
  }
`);

const CartChangedDocument = graphql(`
  subscription CartChanged($id: ID!, $after: String) {
    cartChanged(id: $id, after: $after) { cursor cart { ...CartContent } }
  }
`);

const StartCartDocument = graphql(`
  mutation StartCart {
    startCart { ...CartContent }
  }
`);

const AddToCartDocument = graphql(`
  mutation AddToCart($cartId: ID!, $sku: String!, $quantity: Int!, $key: String!) {
    addToCart(cartId: $cartId, sku: $sku, quantity: $quantity, idempotencyKey: $key) {
      __typename
      ...CartContent
      ...LineRefusal
    }
  }
`);

const ChangeQuantityDocument = graphql(`
  mutation ChangeQuantity($cartId: ID!, $sku: String!, $quantity: Int!, $key: String!) {
    changeQuantity(cartId: $cartId, sku: $sku, quantity: $quantity, idempotencyKey: $key) {
      __typename
      ...CartContent
      ...LineRefusal
    }
  }
`);

const RemoveFromCartDocument = graphql(`
  mutation RemoveFromCart($cartId: ID!, $sku: String!, $key: String!) {
    removeFromCart(cartId: $cartId, sku: $sku, idempotencyKey: $key) {
      __typename
      ...CartContent
      ...LineRefusal
    }
  }
`);

interface CartState {
  /** Null if there is none yet. */
  readonly id: string | null;
  /** Null until it is loaded. */
  readonly cart: Cart | null;
  /** The position of this state in the change stream. */
  readonly position: string;
}

const STORED_UNDER = 'sextant.shop.cart';
const none: CartState = { id: null, cart: null, position: '' };

export const cartStore = createStore<CartState>({ ...none, id: localStorage.getItem(STORED_UNDER) });

/** The lines to show. A cart that has been paid for counts as empty. */
export const linesOf = (cart: Cart | null): readonly CartLine[] =>
  cart === null || cart.state === 'COMPLETE' ? [] : cart.lines;

export const hasExpired = (cart: Cart | null): boolean => cart?.state === 'EXPIRED' || cart?.state === 'EXPIRING';

/** The total number of units. */
export const unitsIn = (cart: Cart | null): number =>
  hasExpired(cart) ? 0 : linesOf(cart).reduce((sum, { quantity }) => sum + quantity, 0);

/** The length of the position at the start of a cursor. */
const POSITION_LENGTH = 16;

/** Stores a cart unless a later state is already known: the response and the event of one write race. */
function take(cart: Cart, position: string): void {
  const known = cartStore.get();
  if (known.id !== cart.id || position < known.position) return;
  cartStore.set({ id: cart.id, cart, position });
}

function setId(id: string | null): void {
  if (id === null) localStorage.removeItem(STORED_UNDER);
  else localStorage.setItem(STORED_UNDER, id);
  cartStore.set({ ...none, id });
}

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === STORED_UNDER && newValue !== cartStore.get().id) cartStore.set({ ...none, id: newValue });
});

/** Follows the current cart, even if it is replaced. @returns stops following */
export function followCart(): () => void {
  let followed: string | null = null;
  let stop = () => {};
  const begin = () => {
    const { id } = cartStore.get();
    if (id === followed) return;
    stop();
    followed = id;
    stop = id === null ? () => {} : followOne(id);
  };
  const unsubscribe = cartStore.subscribe(begin);
  begin();
  return () => {
    unsubscribe();
    stop();
  };
}

const followOne = (id: string) =>
  follow(
    CartChangedDocument,
    { id },
    {
      event: ({ cart, cursor }) => take(cart, cursor.slice(0, POSITION_LENGTH)),
      refused: () => cartStore.get().id === id && setId(null), // deleted long after it ended
    },
  );

/** @returns the id of a cart that can be changed */
async function openCart(): Promise<string | Failed> {
  const { id, cart } = cartStore.get();
  if (id !== null && (cart === null || cart.state === 'ACTIVE' || cart.state === 'PENDING')) return id;
  return startCart();
}

let starting: Promise<string | Failed> | null = null;

/** One call for all concurrent callers. A cart whose response was lost stays empty and expires. */
function startCart(): Promise<string | Failed> {
  starting ??= command(StartCartDocument, {})
    .then((outcome) => {
      if (isFailed(outcome)) return outcome;
      const { startCart: cart } = outcome.data;
      setId(cart.id);
      take(cart, outcome.writtenAt ?? '');
      return cart.id;
    })
    .finally(() => {
      starting = null;
    });
  return starting;
}

/** Why a cart was not changed. */
export type LineRefusal =
  | { readonly __typename: 'InsufficientStock'; readonly available: number; readonly message: string }
  | { readonly __typename: 'ProductNotFound' | 'CartNotFound' | 'Failed'; readonly message: string }
  | { readonly __typename: 'CartNotActive'; readonly state: Cart['state']; readonly message: string };

type LineAnswer = ({ readonly __typename: 'Cart' } & Cart) | LineRefusal;

/** @returns why it was refused; null on success */
function settle<Data>(outcome: Answered<Data> | Failed, answerOf: (data: Data) => LineAnswer): LineRefusal | null {
  if (isFailed(outcome)) return { __typename: 'Failed', message: outcome.message };
  const answer = answerOf(outcome.data);
  if (answer.__typename !== 'Cart') return answer;
  take(answer, outcome.writtenAt ?? cartStore.get().position);
  return null;
}

/** Adds units to the cart, or to a new one if the old one has ended. @returns why it was refused; null on success */
export async function addToCart(sku: string, quantity: number): Promise<LineRefusal | null> {
  const add = async (cartId: string) =>
    settle(await commandOnce(AddToCartDocument, { cartId, sku, quantity }), (data) => data.addToCart);
  const cartId = await openCart();
  if (typeof cartId !== 'string') return { __typename: 'Failed', message: cartId.message };
  const refusal = await add(cartId);
  if (!refusal || !hasEnded(refusal)) return refusal;
  const next = await startCart();
  return typeof next === 'string' ? add(next) : { __typename: 'Failed', message: next.message };
}

/** Whether the cart no longer exists or has ended. */
const hasEnded = (refusal: LineRefusal): boolean =>
  refusal.__typename === 'CartNotFound' || (refusal.__typename === 'CartNotActive' && refusal.state !== 'PENDING');

/** @returns why it was refused; null on success */
export async function changeQuantity(cartId: string, sku: string, quantity: number): Promise<LineRefusal | null> {
  return settle(await commandOnce(ChangeQuantityDocument, { cartId, sku, quantity }), (data) => data.changeQuantity);
}

/** @returns why it was refused; null on success */
export async function removeFromCart(cartId: string, sku: string): Promise<LineRefusal | null> {
  return settle(await commandOnce(RemoveFromCartDocument, { cartId, sku }), (data) => data.removeFromCart);
}

/** Moves the items of an expired cart to a new one. @returns the titles that are no longer available */
export async function refill(expired: Cart): Promise<readonly string[] | Failed> {
  const cart = await startCart();
  if (typeof cart !== 'string') return cart;
  const missing: string[] = [];
  for (const { sku, title, quantity } of expired.lines) {
    if (await addToCart(sku, quantity)) missing.push(title);
  }
  return missing;
}
