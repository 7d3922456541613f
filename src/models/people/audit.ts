/**
 * The audit trail: who performed which administrative action, on whose behalf, when, and from where.
 * Invariant: an action and its entry are written in one transaction, so neither exists without the other. An action of several steps
 * (a transfer, a checkout) carries its entry in its own document from the first step on. The step after the decisive one writes the
 * entry, so a worker that finishes the action after a crash writes it as well. Entries are never changed. MongoDB removes them when
 * they expire.
 */
import { type ClientSession, type Db, type Filter, ObjectId } from 'mongodb';
import { commitConcernOf, defineCollection, findNewestFirst, inTransaction } from '../../database/index.js';
import { type Connection, type PageInput, requireFirst } from '../../shared/page.js';

/** The kinds of action. Each domain adds its own, here by declaration merging and in its SDL with `extend enum AuditAction`. */
export interface AuditActions {
  ROLE_GRANTED: true;
  ROLE_REVOKED: true;
  USER_INVITED: true;
  INVITATION_WITHDRAWN: true;
  USER_DELETED: true;
  API_KEY_CREATED: true;
  API_KEY_REVOKED: true;
  PASSWORD_CHANGED: true;
  PASSWORD_RESET: true;
}

export type AuditAction = keyof AuditActions;

export interface AuditDocument {
  /** The id of the recorded call, or an ObjectId as text, which keeps entries of one process and millisecond in order. */
  _id: string;
  at: Date;
  /** The email address at that time, because the account may be deleted later. */
  actor: string;
  /** On whose behalf: an email address at that time, or the name of an account without a user. */
  on_behalf_of?: string;
  action: AuditAction;
  subject: string;
  detail?: string;
  address: string;
  expires_at: Date;
}

export const auditTrail = defineCollection<AuditDocument>('audit', [
  { key: { at: -1, _id: -1 } }, // findAuditTrail
  { key: { actor: 1, at: -1, _id: -1 } }, // personal-data.ts, as the next two
  { key: { subject: 1, at: -1, _id: -1 } },
  { key: { on_behalf_of: 1, at: -1, _id: -1 }, partialFilterExpression: { on_behalf_of: { $exists: true } } },
  { key: { expires_at: 1 }, expireAfterSeconds: 0 }, // MongoDB removes expired entries
]);

/** Who acts, from where, and how long the entry is kept. */
export interface Act {
  /** An email address, or the name of a command. */
  readonly actor: string;
  /** A network address, or for a command the hostname of its machine. */
  readonly address: string;
  readonly at: Date;
  readonly keptUntil: Date;
  /** The other user whose money, order, campaign or character is affected: an email address, or an account's name. */
  readonly onBehalfOf?: string;
}

/** The action and its subject. */
export interface Deed {
  readonly action: AuditAction;
  readonly subject: string;
  readonly detail?: string;
  /** The id of the call, for actions that may be retried, so that they are recorded once. */
  readonly call?: string;
}

/** Call it in the transaction of the action. */
export async function recordAct(db: Db, session: ClientSession, act: Act, deed: Deed): Promise<void> {
  await recordActs(db, session, act, [deed]);
}

/** The same for an action on many subjects. */
export async function recordActs(db: Db, session: ClientSession, act: Act, deeds: readonly Deed[]): Promise<void> {
  if (deeds.length === 0) return;
  const entries = deeds.map((deed) => toEntry(act, deed));
  await auditTrail(db).insertMany(entries, { session });
}

/** The entry of an action of several steps, for the document that carries it. */
export const intendAct = (act: Act, deed: Deed): AuditDocument => toEntry(act, deed);

/** Writes a prepared entry: of an action of several steps, or of one that starts with its entry. Idempotent. */
export async function recordIntended(db: Db, { _id, ...entry }: AuditDocument): Promise<void> {
  const options = { upsert: true } as const;
  await auditTrail(db).updateOne({ _id }, { $setOnInsert: entry }, options); // guard: `_id` is the call's
}

/** The same in the transaction that concludes the action. @param entry undefined for an action that needs none */
export async function recordEntry(db: Db, session: ClientSession, entry: AuditDocument | undefined): Promise<void> {
  if (entry) await auditTrail(db).insertOne(entry, { session });
}

function toEntry({ keptUntil, onBehalfOf, ...act }: Act, { call, ...deed }: Deed): AuditDocument {
  const _id = call ?? new ObjectId().toHexString();
  return { _id, ...act, ...(onBehalfOf !== undefined && { on_behalf_of: onBehalfOf }), ...deed, expires_at: keptUntil };
}

/** One update, in a transaction with its entry if it has one. `update` passes its options on. @returns null if nothing was updated */
export async function updateWithEntry<Updated>(
  db: Db,
  entry: AuditDocument | undefined,
  update: (options: { readonly session?: ClientSession }) => Promise<Updated | null>,
): Promise<Updated | null> {
  if (!entry) return update({});
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const updated = await update({ session });
    if (updated) await recordEntry(db, session, entry);
    return updated;
  });
  return value;
}

/** Whether a call has been recorded. */
export async function isRecorded(db: Db, session: ClientSession, call: string): Promise<boolean> {
  return (await auditTrail(db).findOne({ _id: call }, { session, projection: { _id: 1 } })) !== null;
}

const FIRST_MAX = 500;

/** Newest first. @throws LimitError `first` exceeds 500 @throws CursorError */
export async function findAuditTrail(db: Db, page: PageInput): Promise<Connection<AuditDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const read = (filter: Filter<AuditDocument>, limit: number) =>
    auditTrail(db).find(filter).sort({ at: -1, _id: -1 }).limit(limit).toArray();
  return findNewestFirst({ list: 'audit', moment: 'at', filter: {}, read }, page);
}
