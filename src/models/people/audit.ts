/**
 * The audit trail: who did which administrative act, when, from where.
 * Invariant: an act and its entry are written in one transaction, so neither is ever there without the other. Nothing changes an entry;
 * MongoDB removes it when its time is over.
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
  | 'ORDER_DELETED'
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
export async function recordAct(
  db: Db,
  session: ClientSession,
  { keptUntil, ...act }: Act,
  { call, ...deed }: Deed,
): Promise<void> {
  const _id = call ?? new ObjectId().toHexString();
  const entry: AuditDocument = { _id, ...act, ...deed, expires_at: keptUntil };
  await auditTrail(db).insertOne(entry, { session });
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
