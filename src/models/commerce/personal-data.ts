/** What commerce stores about an account, and what becomes of it. Orders, money and stock stay as they are: only who it was goes. */
import type { Db } from 'mongodb';
import { failpoint } from '../../shared/failpoint.js';
import { changeMatching, type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { accounts, findAccountIds } from './money/account.js';
import { type TransferDocument, transactions } from './money/transfer.js';
import { carts } from './orders/cart.js';
import { type OrderDocument, orders } from './orders/order.js';

const files = {
  'orders.jsonl': 'Orders that you have bought',
  'orders-entered.jsonl': 'Orders that you have entered for others',
  'carts.jsonl': 'Carts that you have checked out in the last 30 days',
  'accounts.jsonl': 'Your money accounts',
  'transfers.jsonl': 'Transfers from and to each of your money accounts',
} as const;

const NEWEST = { placed_at: -1, _id: -1 } as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  const bought = orders(db)
    .find({ owner: accountId })
    .sort({ owner: 1, ...NEWEST });
  yield* rowsIn('orders.jsonl', bought, orderRow);
  const entered = orders(db)
    .find({ entered_by: accountId })
    .sort({ entered_by: 1, ...NEWEST });
  for await (const order of entered)
    if (order.owner !== accountId)
      yield { file: 'orders-entered.jsonl', row: { id: order._id, placed_at: order.placed_at } };
  const checkedOut = carts(db).find({ 'checkout.owner': accountId }).sort({ 'checkout.owner': 1, _id: 1 });
  yield* rowsIn('carts.jsonl', checkedOut, ({ _id, state, currency, items, started_at, last_modified }) => ({
    id: _id,
    state,
    currency,
    items: items.map(({ sku, title, qty, price }) => ({ sku, title, qty, price })),
    started_at,
    last_modified,
  }));
  const own = accounts(db).find({ owner: accountId }).sort({ owner: 1, _id: 1 });
  yield* rowsIn('accounts.jsonl', own, ({ _id, balance, currency, opened_with, opened_at }) => ({
    id: _id,
    balance,
    currency,
    opened_with,
    opened_at,
  }));
  for (const account of await findAccountIds(db, accountId)) yield* transferRows(db, account);
}

const orderRow = ({ _id, account, currency, lines, total, placed_at, raised = [], refunds = [] }: OrderDocument) => ({
  id: _id,
  placed_at,
  account,
  currency,
  total,
  lines,
  raised: raised.map(({ sku, qty, price, at, taken_back_at }) => ({ sku, qty, price, at, taken_back_at })),
  refunds: refunds.map(({ amount, at }) => ({ amount, at })),
});

/** Without those that were refused or given up before they started, as in the API. */
async function* transferRows(db: Db, account: string): AsyncGenerator<PersonalRow, undefined> {
  const transferRow = ({ _id, state, from, to, amount, currency, kind, created_at }: TransferDocument) => ({
    of: account,
    id: _id,
    state,
    from,
    to,
    amount,
    currency,
    kind,
    created_at,
  });
  for (const side of ['from', 'to'] as const) {
    const found = transactions(db)
      .find({ [side]: account, run: { $gt: 0 } })
      .sort({ [side]: 1, created_at: -1, _id: -1 });
    yield* rowsIn('transfers.jsonl', found, transferRow);
  }
}

/** As `name` of a money account without a user. */
const NOBODY = 'Deleted account';

/** Carts first: a checkout that another process continues places its order as the cart says. */
async function erase(db: Db, accountId: string): Promise<number> {
  let changed = await changeMatching(carts(db), { 'checkout.owner': accountId }, { $set: { 'checkout.owner': null } });
  changed += await changeMatching(
    carts(db),
    { 'checkout.entered_by': accountId },
    { $unset: { 'checkout.entered_by': '' } },
  );
  failpoint('erasure.carts-anonymized');
  changed += await changeMatching(orders(db), { owner: accountId }, { $set: { owner: null } });
  changed += await changeMatching(orders(db), { entered_by: accountId }, { $unset: { entered_by: '' } });
  failpoint('erasure.orders-anonymized');
  return changed + (await changeMatching(accounts(db), { owner: accountId }, { $set: { owner: null, name: NOBODY } }));
}

const erasure: readonly ErasureRule[] = [
  {
    data: 'Orders',
    collections: [orders],
    becomes: 'ANONYMIZED',
    reason: 'Bookkeeping needs what was sold and paid. Who bought it, and who entered it, is removed',
  },
  {
    data: 'Carts that were checked out',
    collections: [carts],
    becomes: 'ANONYMIZED',
    reason: 'A checkout in progress ends as usual. MongoDB removes the cart 30 days later. Other carts name nobody',
  },
  {
    data: 'Money accounts',
    collections: [accounts],
    becomes: 'ANONYMIZED',
    reason: 'Balances must add up. The owner is removed',
  },
  {
    data: 'Transfers',
    collections: [transactions],
    becomes: 'KEPT',
    reason: 'Bookkeeping. They name money accounts, not people',
  },
];

export const personalData: PersonalData = { files, rows, erase, erasure };
