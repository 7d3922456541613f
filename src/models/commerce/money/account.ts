/**
 * Money accounts. Balances change only through transfers (`transfer.ts`). Each account lists its transfers in progress.
 * Invariant: no balance is negative. The sum of all balances, plus what was debited but not yet credited, equals the sum of all opening
 * balances.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, defineCollection, findInOrder, inTransaction } from '../../../database/index.js';
import { InputError, LimitError, SextantError } from '../../../shared/errors.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { type Act, recordAct } from '../../people/audit.js';
import { users } from '../../people/user.js';
import { AMOUNT_MAX, MONEY_MAX, type Money, requireAmount } from './money.js';

export interface AccountDocument {
  _id: string;
  /** The user who owns it. Null for an account without a user, such as the store's. */
  owner: string | null;
  /** The name of an account without a user. */
  name?: string;
  /** Minor units. */
  balance: number;
  currency: string;
  /** The opening balance, for the invariant. */
  opened_with: number;
  /** Transfers in progress: `transfer#run`. */
  pending: string[];
  opened_at: Date;
  /** Only for the store's account: the sum of all opening balances granted by administrators. */
  issued?: number;
}

export const accounts = defineCollection<AccountDocument>('accounts', [
  { key: { owner: 1, _id: 1 } }, // findAccounts
  { key: { pending: 1 } }, // recovery
]);

/** The store's own account, to which customers pay. */
export const STORE_ACCOUNT = 'store';

const NAME_LENGTH_MAX = 100;

export interface NewAccount {
  /** Also identifies the call: a retry with the same id opens only one account. */
  readonly id: string;
  readonly owner: string | null;
  readonly name?: string;
  readonly opening: Money;
}

/**
 * Opens an empty account. `openAccountAs` opens one with a balance.
 * @throws InputError @throws LimitError its owner has OWN_MAX accounts
 */
export async function openAccount(db: Db, account: NewAccount, now: Date): Promise<AccountDocument> {
  const { _id, ...fields } = toDocument(account, now);
  if (fields.owner !== null) await requireRoom(db, fields.owner, _id);
  // Guard: `_id`. A retry of the call finds the account that it opened.
  const opened = await accounts(db).findOneAndUpdate(
    { _id },
    { $setOnInsert: fields },
    { upsert: true, returnDocument: 'after' },
  );
  return opened ?? { _id, ...fields };
}

/**
 * The same as an administrative action, recorded in the audit trail.
 * @throws InputError also if the owner does not exist @throws LimitError all accounts together would hold more than MONEY_MAX
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
    { retryDuplicateKeys: true }, // two concurrent executions of the same call
  );
  return value;
}

/** Guard: read in the transaction. A user deleted afterwards leaves the account behind, as all deleted users do. @throws InputError */
async function requireOwner(db: Db, session: ClientSession, owner: string | null): Promise<void> {
  if (owner === null) return;
  const person = await users(db).findOne({ _id: owner }, { session, projection: { _id: 1 } });
  if (!person) throw new InputError('input.owner', 'must be the id of a user');
}

/** @throws LimitError */
async function issue(db: Db, session: ClientSession, amount: number): Promise<void> {
  const { matchedCount } = await accounts(db).updateOne(
    // Guard: the sum stays exact. Concurrent calls write this one document, so the second retries its transaction.
    { _id: STORE_ACCOUNT, issued: { $not: { $gt: MONEY_MAX - amount } } },
    { $inc: { issued: amount } },
    { session },
  );
  if (matchedCount === 0) throw new LimitError(`All accounts together hold at most ${MONEY_MAX}`, MONEY_MAX);
}

/** An account that a user asks to open. */
export interface WantedAccount {
  /** A user, or the name of an account without a user. */
  readonly owner: { readonly person: string } | { readonly name: string };
  readonly opening: Money;
}

/**
 * What a user may open. Only administrators open accounts for others, or with a balance.
 * @param currency the store's currency
 * @throws SextantError FORBIDDEN @throws InputError
 */
export function requireOpenable(
  opener: { readonly id: string; readonly isAdministrator: boolean },
  { owner, opening }: WantedAccount,
  currency: string,
): Omit<NewAccount, 'id'> {
  const isOwn = 'person' in owner && owner.person === opener.id;
  if (!opener.isAdministrator && (!isOwn || opening.amount > 0))
    throw new SextantError('FORBIDDEN', 'Only administrators may open accounts for others or with a balance');
  if (opening.currency !== currency) throw new InputError('input.openingBalance.currency', `must be ${currency}`);
  return 'person' in owner
    ? { owner: owner.person, opening }
    : { owner: null, name: requireVisible('input.owner', owner.name, NAME_LENGTH_MAX), opening };
}

/** @throws InputError */
function toDocument({ id, owner, name, opening }: NewAccount, now: Date): AccountDocument {
  const amount = requireAmount('input.openingBalance.amount', opening.amount, {
    min: 0,
    max: AMOUNT_MAX,
    currency: opening.currency,
  });
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

/** Creates the store's account if it does not exist. */
export async function ensureStoreAccount(db: Db, currency: string, now: Date): Promise<void> {
  if (await findAccount(db, STORE_ACCOUNT)) return;
  await openAccount(db, { id: STORE_ACCOUNT, owner: null, name: 'The store', opening: { amount: 0, currency } }, now);
}

export function findAccount(db: Db, id: string): Promise<AccountDocument | null> {
  return accounts(db).findOne({ _id: id });
}

/** @param owner the user who asks; null for an administrator @returns the account if this user may see it and take money from it */
export async function findAccountUsableBy(
  db: Db,
  owner: string | null,
  id: string | null,
): Promise<AccountDocument | null> {
  const account = await findAccount(db, id ?? '');
  return account && (owner === null || account.owner === owner) ? account : null;
}

export function findAccountsById(db: Db, ids: readonly string[]): Promise<AccountDocument[]> {
  return accounts(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

/** Accounts per user. Where all accounts of a user matter, this many are read. */
export const OWN_MAX = 100;

/** Concurrent calls may exceed the limit slightly, which does no harm. Later calls are refused. @throws LimitError */
async function requireRoom(db: Db, owner: string, _id: string): Promise<void> {
  const own = await findAccountIds(db, owner);
  if (own.length < OWN_MAX || (await findAccount(db, _id))) return; // or it is a retry
  throw new LimitError(`A user has at most ${OWN_MAX} accounts`, OWN_MAX);
}

/** The ids of a user's accounts, at most 100. */
export async function findAccountIds(db: Db, owner: string): Promise<string[]> {
  const found = accounts(db)
    .find({ owner }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(OWN_MAX);
  return (await found.toArray()).map(({ _id }) => _id);
}

const FIRST_MAX = 100;

/** @param owner null for the accounts of all users @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findAccounts(
  db: Db,
  owner: string | null,
  page: PageInput,
): Promise<Connection<AccountDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const filter = owner === null ? {} : { owner };
  return findInOrder(accounts(db), { list: `accounts/${owner ?? ''}`, by: '_id', filter }, page);
}
