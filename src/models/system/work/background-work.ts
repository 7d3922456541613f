/**
 * Background work of all domains: imports, exports, migrations. A document holds what was asked for and how far it has come, so any
 * process can continue it. What such work does is declared by its domain (`src/models/work.ts`); `work-loop.ts` runs it.
 * Invariant: work is `open` exactly while its state is WAITING, RUNNING or UNDOING.
 */
import type { Db, Document, Filter } from 'mongodb';
import { changedDocument } from '../../../database/feeds/changed-document.js';
import {
  defineCollection,
  defineFeed,
  documentBytes,
  findNewestFirst,
  type StateFeed,
} from '../../../database/index.js';
import { SextantError } from '../../../shared/errors.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import type { WorkDocument, WorkState } from '../../work.js';

export const backgroundWork = defineCollection<WorkDocument>('work', [
  // findWork. `type` is last: several types before the order would mean to sort in memory.
  { key: { owner: 1, created_at: -1, _id: -1, type: 1 } }, // of an owner
  { key: { owner: 1, state: 1, created_at: -1, _id: -1, type: 1 } }, // of an owner, in a state
  { key: { created_at: -1, _id: -1, type: 1 } }, // of all owners
  { key: { state: 1, created_at: -1, _id: -1, type: 1 } }, // of all owners, in a state
  { key: { open: 1, created_at: 1 }, partialFilterExpression: { open: true } }, // findOpenWork
  { key: { finished_at: 1 } }, // work-removal.ts
]);

const FIRST_MAX = 100;

export interface WorkFilter {
  /** Null for the work of all owners. */
  readonly owner: string | null;
  readonly state?: WorkState | null | undefined;
  /** The types that the schema has. A domain that is off leaves work of others. */
  readonly types: readonly string[];
}

/** Newest first. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findWork(
  db: Db,
  { owner, state, types }: WorkFilter,
  page: PageInput,
): Promise<Connection<WorkDocument>> {
  requireFirst(page.first, FIRST_MAX);
  const filter: Filter<WorkDocument> = {
    ...(owner !== null && { owner }),
    ...(state && { state }),
    type: { $in: [...types] },
  };
  const read = (matching: Filter<WorkDocument>, limit: number) =>
    backgroundWork(db).find(matching).sort({ created_at: -1, _id: -1 }).limit(limit).toArray();
  return findNewestFirst({ list: `work ${owner ?? '*'} ${state ?? '*'}`, moment: 'created_at', filter, read }, page);
}

/** @param owner null: of any owner @returns null if there is none, or if it is of another owner */
export async function findVisibleWork(
  db: Db,
  owner: string | null,
  id: string,
  type: string,
): Promise<WorkDocument | null> {
  const found = await backgroundWork(db).findOne({ _id: id, type });
  return found && (owner === null || found.owner === owner) ? found : null;
}

interface FollowedWork {
  document: WorkDocument;
  /** When subscribers were last told of a change, in milliseconds. */
  toldAtMs: number;
  isUntold: boolean;
}

/** Small steps follow each other quickly; people read a few changes per second at most. */
const TELL_MS = 500;
const WHOLE = ['document'];

/** Work, followed live: at most one event per TELL_MS, except that a new state is told at once. */
export const workFeed = defineFeed<StateFeed<{ readonly id: string }, FollowedWork, WorkDocument, WorkDocument>>({
  kind: 'state',
  name: 'work',
  collections: [backgroundWork],
  key: ({ id }) => id,
  topic: ({ id }) => `work:${id}`,
  topics: ({ documentKey }) => [`work:${documentKey._id}`],

  /** @throws SextantError NOT_FOUND */
  snapshot: async (db, { id }, session, now) => {
    const document = await backgroundWork(db).findOne({ _id: id }, { session });
    if (!document) throw new SextantError('NOT_FOUND', 'No work has this id');
    return { document, toldAtMs: now.getTime(), isUntold: false };
  },

  touched: () => WHOLE,
  apply: (state, event, _args, now) => {
    const before = state.document;
    state.document = changedDocument(before, event);
    state.isUntold = true;
    return state.document.state === before.state ? tellInTime(state, now) : tell(state, now);
  },
  view: ({ document }) => document,
  change: ({ document }) => document,

  tickMs: TELL_MS,
  tick: (state, _args, now) => tellInTime(state, now),

  bytes: ({ document }) => documentBytes(document),
});

function tellInTime(state: FollowedWork, now: Date): readonly string[] {
  // A clock that was set back must not silence the feed.
  const isRecent = Math.abs(now.getTime() - state.toldAtMs) < TELL_MS;
  return state.isUntold && !isRecent ? tell(state, now) : [];
}

function tell(state: FollowedWork, now: Date): readonly string[] {
  state.toldAtMs = now.getTime();
  state.isUntold = false;
  return WHOLE;
}

/** Work whose document cannot be read as such is left alone, so a projection is enough. */
export type OpenWork = Pick<WorkDocument, '_id' | 'kind' | 'owner' | 'state'>;

/** More than may be open at once, see `work-start.ts`: some may be created at the same moment. */
const OPEN_READ_MAX = 2000;
const OPEN_FIELDS: Document = { kind: 1, owner: 1, state: 1 };

/** Unfinished work, the oldest first. */
export function findOpenWork(db: Db): Promise<OpenWork[]> {
  return backgroundWork(db)
    .find({ open: true }, { projection: OPEN_FIELDS })
    .sort({ created_at: 1 })
    .limit(OPEN_READ_MAX)
    .toArray();
}
