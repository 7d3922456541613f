/** Carts, from the first line to checkout. */
import type {
  CartLineResolvers,
  CartResolvers,
  CartResultResolvers,
  CheckOutResultResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import {
  type CartDocument,
  type CartLine as CartLineDocument,
  cartFeed,
  cartNotFound,
  findCart,
  findCarts,
  startCart,
  totalOf,
} from '../../models/commerce/orders/cart.js';
import { type CartOutcome, changeOnce } from '../../models/commerce/orders/cart-call.js';
import { addToCart, changeQuantity, removeFromCart } from '../../models/commerce/orders/cart-line.js';
import { checkOut } from '../../models/commerce/orders/checkout.js';
import { intendAct } from '../../models/people/audit.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { runOnce } from '../support/once.js';
import { resultType } from '../support/result-type.js';
import { actOnAccount } from './behalf.js';
import { findUsableAccount } from './ownership.js';

export const Cart: CartResolvers = {
  id: ({ _id }) => toGlobalId('Cart', _id),
  lastModified: ({ last_modified }) => last_modified,
  total: totalOf,
  lines: ({ items, currency }) => items.map((line) => ({ ...line, currency })),
};

/** A line, with the currency of its cart. */
export type CartLineOfCart = CartLineDocument & { readonly currency: string };

export const CartLine: CartLineResolvers = {
  product: ({ sku }, _args, { loaders }) => loaders().product.load(sku),
  quantity: ({ qty }) => qty,
  unitPrice: ({ price, currency }) => ({ amount: price, currency }),
};

export const CartResult: CartResultResolvers = { __resolveType: resultType('Cart') };

export const CheckOutResult: CheckOutResultResolvers = { __resolveType: resultType('Order') };

export const Query: Pick<QueryResolvers, 'cart' | 'carts'> = {
  cart: (_root, { id: globalId }, { db }) => {
    const id = idOfType('Cart', globalId);
    return id === null ? null : findCart(db, id);
  },
  carts: (_root, { state, first, after }, { db }) => findCarts(db, state, { first, after }),
};

type LineOperation = 'addToCart' | 'changeQuantity' | 'removeFromCart';

interface LineArguments {
  readonly cartId: string;
  readonly sku: string;
  readonly idempotencyKey?: string | null | undefined;
}

/** Runs a change of a line, once per idempotency key. */
async function changeLine(
  { db, store, now }: Context,
  operation: LineOperation,
  { cartId: globalId, idempotencyKey: key, ...input }: LineArguments,
  work: (
    change: { readonly call: string; readonly cartId: string; readonly sku: string },
    at: Date,
  ) => Promise<CartOutcome>,
) {
  const cartId = idOfType('Cart', globalId);
  if (cartId === null) return cartNotFound();
  const at = now();
  const keepMs = store.keepAnswersMs;
  const change = (call: string) => work({ call, cartId, sku: input.sku }, at);
  return changeOnce(db, { scope: cartId, operation, key, input, keepMs }, at, change);
}

export const Mutation: Pick<MutationResolvers, 'startCart' | 'checkOut' | LineOperation> = {
  startCart: (_root, _args, { db, store, viewer, address, cartAllowance, now }) => {
    cartAllowance.charge({ viewer, address });
    return startCart(db, store.currency, now());
  },
  addToCart: (_root, args, context) =>
    changeLine(context, 'addToCart', args, (line, at) =>
      addToCart(context.db, { ...line, quantity: args.quantity }, at),
    ),
  changeQuantity: (_root, args, context) =>
    changeLine(context, 'changeQuantity', args, (line, at) =>
      changeQuantity(context.db, { ...line, quantity: args.quantity }, at),
    ),
  removeFromCart: (_root, args, context) =>
    changeLine(context, 'removeFromCart', args, (line, at) => removeFromCart(context.db, line, at)),
  checkOut: async (_root, { cartId: globalId, payment, idempotencyKey: key }, context) => {
    const { db, store, viewer } = context;
    const cartId = idOfType('Cart', globalId);
    if (cartId === null) return cartNotFound();
    const enteredBy = requirePerson(viewer);
    const account = await findUsableAccount(context, idOfType('Account', payment.account));
    if (!account) return refuse('PaymentDeclined', 'There is no such account', { reason: 'ACCOUNT_UNKNOWN' as const });
    const act = await actOnAccount(context, account);
    const owner = account.owner ?? enteredBy; // the payer is the buyer, even if a shop assistant enters the order
    const keyed = { operation: 'checkOut', key, input: account._id, scope: cartId } as const;
    return runOnce(context, keyed, (call, at) => {
      const entry = act ? intendAct(act, { action: 'ORDER_PAID', subject: call, call }) : undefined;
      return checkOut(db, store.payment, { call, cartId, account: account._id, owner, enteredBy, entry }, at);
    });
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'cartChanged'> = {
  cartChanged: {
    subscribe: (_root, { id: globalId, after }, { hub }) => {
      const id = idOfType('Cart', globalId);
      if (id === null) throw new SextantError('NOT_FOUND', 'There is no such cart');
      return hub.follow(cartFeed, { id }, { after });
    },
    resolve: (event: FollowedEvent<CartDocument>) => followedAs('cart', event),
  },
};
