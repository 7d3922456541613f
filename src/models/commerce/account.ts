/**
 * Accounts. A balance changes by transfers alone (`transfer.ts`): each account holds the transfers that are under way at it.
 * Invariant: no balance is below zero; the balances, with what has been debited and not yet credited, sum up to what the accounts were
 * opened with.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, defineCollection, findInOrder, inTransaction } from '../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../shared/connection.js';
import { InputError, LimitError } from '../../shared/errors.js';
import { requireVisible } from '../../shared/visible-text.js';
import { type Act, recordAct } from '../people/audit.js';
import { users } from '../people/user.js';
import { AMOUNT_MAX, MONEY_MAX, type Money, requireAmount } from './money.js';

export interface AccountDocument {
  _id: string;
  /** The person whom it belongs to. Null for one that belongs to nobody who signs in, such as the store. */
  owner: string | null;
  /** What it is called when it has no person. */
  name?: string;
  /** Minor units. */
  balance: number;
  currency: string;
  /** What it was opened with, for the invariant. */
  opened_with: number;
  /** Transfers under way at it: `transfer#run`. */
  pending: string[];
  opened_at: Date;
  /** Of the store's account: what administrators have opened accounts with, all together. */
  issued?: number;
}

export const accounts = defineCollection<AccountDocument>('accounts', [
  { key: { owner: 1, _id: 1 } }, // findAccounts
  { key: { pending: 1 } }, // recovery
]);

/** The store's own account, to which customers pay. */
export const STORE_ACCOUNT = 'store';

const MAJORITY = { writeConcern: { w: 'majority' } } as const;

export interface NewAccount {
  /** Names the call as well: repeated with the same id, one account is opened. */
  readonly id: string;
  readonly owner: string | null;
  readonly name?: string;
  readonly opening: Money;
}

/** For an account that begins empty; money comes by `openAccountAs`. @throws InputError @throws LimitError its owner has OWN_MAX */
export async function openAccount(db: Db, account: NewAccount, now: Date): Promise<AccountDocument> {
  const { _id, ...fields } = toDocument(account, now);
  if (fields.owner !== null) await requireRoom(db, fields.owner, _id);
  // Guard: `_id`. A repeat of the call finds the account that it opened.
  const opened = await accounts(db).findOneAndUpdate(
    { _id },
    { $setOnInsert: fields },
    { upsert: true, returnDocument: 'after', ...MAJORITY },
  );
  return opened ?? { _id, ...fields };
}

/**
 * The same as an administrative act, which the audit trail tells.
 * @throws InputError its owner is not there either @throws LimitError there would be more than MONEY_MAX in all accounts together
 */
export async function openAccountAs(db: Db, act: Act, account: NewAccount): Promise<AccountDocument> {
  const { _id, ...fields } = toDocument(account, act.at);
  const { value } = await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const before = await accounts(db).findOneAndUpdate(
        { _id }, // guard: as above
        { $setOnInsert: fields },
        { upsert: true, session },
      );
      if (before) return before;
      await requireOwner(db, session, fields.owner);
      if (fields.opened_with > 0) await issue(db, session, fields.opened_with);
      const detail = `${fields.opened_with} ${fields.currency}`;
      await recordAct(db, session, act, { action: 'ACCOUNT_OPENED', subject: _id, detail });
      return { _id, ...fields };
    },
    { retryDuplicateKeys: true }, // the same call, by two at once
  );
  return value;
}

/** Guard: read in the transaction. Whoever is deleted after it leaves an account behind, as all who are deleted do. @throws InputError */
async function requireOwner(db: Db, session: ClientSession, owner: string | null): Promise<void> {
  if (owner === null) return;
  const person = await users(db).findOne({ _id: owner }, { session, projection: { _id: 1 } });
  if (!person) throw new InputError('input.owner', 'is the id of nobody who has an account here');
}

/** @throws LimitError */
async function issue(db: Db, session: ClientSession, amount: number): Promise<void> {
  const { matchedCount } = await accounts(db).updateOne(
    // Guard: the sum stays exact. Two at once write this one document: the second repeats its transaction.
    { _id: STORE_ACCOUNT, issued: { $not: { $gt: MONEY_MAX - amount } } },
    { $inc: { issued: amount } },
    { session },
  );
  if (matchedCount === 0) throw new LimitError(`All accounts together hold at most ${MONEY_MAX}`, MONEY_MAX);
}

/** @throws InputError */
function toDocument({ id, owner, name, opening }: NewAccount, now: Date): AccountDocument {
  const amount = requireAmount('input.openingBalance.amount', opening.amount, { min: 0, max: AMOUNT_MAX });
  return {
    _id: id,
    owner,
    ...(name === undefined ? {} : { name }),
    balance: amount,
    currency: opening.currency,
    opened_with: amount,
    pending: [],
    opened_at: now,
  };
}

/** Makes the store's account when it is not there. */
export async function ensureStoreAccount(db: Db, currency: string, now: Date): Promise<void> {
  if (await findAccount(db, STORE_ACCOUNT)) return;
  await openAccount(db, { id: STORE_ACCOUNT, owner: null, name: 'The store', opening: { amount: 0, currency } }, now);
}

const NAME_LENGTH_MAX = 100;

/** The name of an account that belongs to no person. @throws InputError */
export const requireAccountName = (field: string, text: string): string => requireVisible(field, text, NAME_LENGTH_MAX);

export function findAccount(db: Db, id: string): Promise<AccountDocument | null> {
  return accounts(db).findOne({ _id: id });
}

export function findAccountsById(db: Db, ids: readonly string[]): Promise<AccountDocument[]> {
  return accounts(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

/** Accounts of one person. As many are looked at where all of them matter. */
export const OWN_MAX = 100;

/** Of several at once, each finds room: an account too many does no harm, and whoever keeps on is refused. @throws LimitError */
async function requireRoom(db: Db, owner: string, _id: string): Promise<void> {
  const own = await findAccountIds(db, owner);
  if (own.length < OWN_MAX || (await findAccount(db, _id))) return; // or it is a repeat
  throw new LimitError(`A person has at most ${OWN_MAX} accounts`, OWN_MAX);
}

/** Those of a person, at most 100. */
export async function findAccountIds(db: Db, owner: string): Promise<string[]> {
  const found = accounts(db)
    .find({ owner }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(OWN_MAX);
  return (await found.toArray()).map(({ _id }) => _id);
}

const FIRST_MAX = 100;

/** @param owner whose; null for everybody's @throws LimitError `first` is over 100 @throws CursorError */
export async function findAccounts(
  db: Db,
  owner: string | null,
  page: PageInput,
): Promise<Connection<AccountDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const filter = owner === null ? {} : { owner };
  return findInOrder(accounts(db), { list: `accounts/${owner ?? ''}`, by: '_id', filter }, page);
}
