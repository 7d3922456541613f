/**
 * The audit trail: who did which administrative act, on whose behalf, when, from where.
 * Invariant: an act and its entry are written in one transaction, so neither is ever there without the other. An act of several steps
 * (a transfer, a checkout) carries its entry in its own document from its first step on, and the step that follows the decisive one
 * writes it: whoever finishes the act after a crash writes the entry as well. Nothing changes an entry; MongoDB removes it when its time
 * is over.
 */
import { type ClientSession, type Db, type Filter, ObjectId } from 'mongodb';
import { defineCollection, findNewestFirst } from '../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../shared/connection.js';

export type AuditAction =
  | 'ROLE_GRANTED'
  | 'ROLE_REVOKED'
  | 'USER_INVITED'
  | 'INVITATION_WITHDRAWN'
  | 'USER_DELETED'
  | 'API_KEY_CREATED'
  | 'API_KEY_REVOKED'
  | 'SITE_REGISTERED'
  | 'SITE_ORIGINS_CHANGED'
  | 'ACCOUNT_OPENED'
  | 'MONEY_TRANSFERRED'
  | 'ORDER_PAID'
  | 'ORDER_RAISED'
  | 'ORDER_REFUNDED'
  | 'TRANSFER_REVERSED'
  | 'ORDER_DELETED'
  | 'STOCK_BROUGHT_IN'
  | 'PRICE_CHANGED'
  | 'CATEGORY_REMOVED'
  | 'RECOVERY_STARTED'
  | 'PASSWORD_CHANGED'
  | 'PASSWORD_RESET'
  | 'LOG_IMPORT_UNDONE'
  | 'LOG_GROWTH_CHANGED';

export interface AuditDocument {
  /** The call that it tells of, or an ObjectId as text: entries of one process and one millisecond keep their order. */
  _id: string;
  at: Date;
  /** The e-mail address of that time: the account may be gone when somebody reads this. */
  actor: string;
  /** On whose behalf: an e-mail address of that time, or the name of an account that belongs to nobody who signs in. */
  on_behalf_of?: string;
  action: AuditAction;
  subject: string;
  detail?: string;
  address: string;
  expires_at: Date;
}

const auditTrail = defineCollection<AuditDocument>('audit', [
  { key: { at: -1, _id: -1 } }, // findAuditTrail
  { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB removes what has been kept long enough
]);

/** Who acts, from where, and how long that is remembered. */
export interface Act {
  /** An e-mail address, or the name of a command. */
  readonly actor: string;
  /** Of the network; of a command, the name of its machine. */
  readonly address: string;
  readonly at: Date;
  readonly keptUntil: Date;
  /** Whose money or order it touches, when it is somebody else's: an e-mail address, or an account's name. */
  readonly onBehalfOf?: string;
}

/** What is done to whom. */
export interface Deed {
  readonly action: AuditAction;
  readonly subject: string;
  readonly detail?: string;
  /** The call that does it, for one that may be repeated: recorded once. */
  readonly call?: string;
}

/** Call it in the transaction of the act. */
export async function recordAct(db: Db, session: ClientSession, act: Act, deed: Deed): Promise<void> {
  await recordActs(db, session, act, [deed]);
}

/** The same for an act on many things at once. */
export async function recordActs(db: Db, session: ClientSession, act: Act, deeds: readonly Deed[]): Promise<void> {
  if (deeds.length === 0) return;
  const entries = deeds.map((deed) => toEntry(act, deed));
  await auditTrail(db).insertMany(entries, { session });
}

/** The entry of an act of several steps, for the document that carries it. */
export const intendAct = (act: Act, deed: Deed): AuditDocument => toEntry(act, deed);

/** Writes an entry that was made before: that of an act of several steps, or of one that begins with it. Repeating it changes nothing. */
export async function recordIntended(db: Db, { _id, ...entry }: AuditDocument): Promise<void> {
  const options = { upsert: true, writeConcern: { w: 'majority' } } as const;
  await auditTrail(db).updateOne({ _id }, { $setOnInsert: entry }, options); // guard: `_id` is the call's
}

/** The same in the transaction that concludes the act. */
export async function recordEntry(db: Db, session: ClientSession, entry: AuditDocument): Promise<void> {
  await auditTrail(db).insertOne(entry, { session });
}

function toEntry({ keptUntil, onBehalfOf, ...act }: Act, { call, ...deed }: Deed): AuditDocument {
  const _id = call ?? new ObjectId().toHexString();
  return { _id, ...act, ...(onBehalfOf !== undefined && { on_behalf_of: onBehalfOf }), ...deed, expires_at: keptUntil };
}

/** Whether a call has done it. */
export async function isRecorded(db: Db, session: ClientSession, call: string): Promise<boolean> {
  return (await auditTrail(db).findOne({ _id: call }, { session, projection: { _id: 1 } })) !== null;
}

const FIRST_MAX = 500;

/** Newest first. @throws LimitError `first` is over 500 @throws CursorError */
export async function findAuditTrail(db: Db, page: PageInput): Promise<Connection<AuditDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const read = (filter: Filter<AuditDocument>, limit: number) =>
    auditTrail(db).find(filter).sort({ at: -1, _id: -1 }).limit(limit).toArray();
  return findNewestFirst({ list: 'audit', moment: 'at', filter: {}, read }, page);
}
