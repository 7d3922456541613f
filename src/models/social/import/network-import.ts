/**
 * Imports of networks: background work that stores the people, circles and posts of an uploaded file.
 *
 * A row may refer to people who come later in the file. So the file, which is stored anyway, is read three times: for its people, for
 * its circles, and for its posts. The position says which pass it is. Staging rows, as an import of comments does, would write each of
 * them three times, and brings an order that is not needed here: within a kind, any order gives the same network. Each batch is one
 * transaction, which also records the position, so a crash loses and repeats nothing.
 *
 * Posts come last, when everybody is in their circles: their deliveries find the readers. Ties that are added once the source has posts
 * are delivered as those that people make (`deliverPairs`).
 */
import type { Readable } from 'node:stream';
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction } from '../../../database/index.js';
import { failpoint } from '../../../shared/failpoint.js';
import type { Refusal } from '../../../shared/outcome.js';
import type { WorkKindDeclaration } from '../../domain.js';
import { type Act, recordAct } from '../../people/audit.js';
import { type RowsStep, recordRows } from '../../system/work/data-import.js';
import { storeRowsFile } from '../../system/work/rows/import-upload.js';
import type { RowPosition } from '../../system/work/rows/row-error.js';
import type { Fields } from '../../system/work/rows/row-fields.js';
import { startWork } from '../../system/work/work-start.js';
import type { HeldWork, WorkDocument } from '../../work.js';
import type { CourierLoop } from '../news/courier-loop.js';
import { storeCircles } from './circles-storing.js';
import { KINDS, type RowKind, readCircleRow, readPersonRow, rejectReasons } from './network-row.js';
import { storePeople } from './people-storing.js';
import { readPostRow } from './post-row.js';
import { storePosts } from './posts-storing.js';
import { type Batch, type BatchBounds, readBatches } from './row-reading.js';
import { requireSource, type SourceDocument, takeTurn } from './source.js';

export interface NetworkImportInput {
  readonly source: string;
}

interface Position extends RowPosition {
  /** The kind of rows that is being stored. */
  readonly pass: RowKind;
  /** Rows of a later kind were seen. */
  readonly hasLater?: boolean;
}

const BEGIN: RowPosition = { rows: 0, lines: 0, bytes: 0 };

const positionOf = ({ position }: HeldWork['work']): Position =>
  (position as Position | undefined) ?? { pass: 'person', ...BEGIN };

/** How the rows of a kind are read and stored. */
interface Pass<Row> {
  read(fields: Fields, now: Date): Row;
  readonly bounds: BatchBounds<Row>;
  store(db: Db, session: ClientSession, source: SourceDocument, batch: Batch<Row>, now: Date): Promise<RowsStep>;
  /** After each batch. */
  stored(): void;
}

const BATCH_ROWS = 200;
/** The owners of a batch are read with everybody they follow, up to 5,000 each. */
const BATCH_OWNERS = 50;
const BATCH_TIES = 1000;

const peoplePass: Pass<ReturnType<typeof readPersonRow>> = {
  read: readPersonRow,
  bounds: { rows: BATCH_ROWS },
  store: (db, session, { _id }, batch, now) => storePeople(db, session, _id, batch, now),
  stored: () => failpoint('social.import-people-stored'),
};
const circlesPass: Pass<ReturnType<typeof readCircleRow>> = {
  read: readCircleRow,
  bounds: { rows: BATCH_OWNERS, weight: ({ members }) => members.length, weightMax: BATCH_TIES },
  store: storeCircles,
  stored: () => failpoint('social.import-circles-stored'),
};
const postsPass: Pass<ReturnType<typeof readPostRow>> = {
  read: readPostRow,
  bounds: { rows: BATCH_ROWS },
  store: storePosts,
  stored: () => failpoint('social.import-posts-stored'),
};

export const networkImport: WorkKindDeclaration<{ readonly courier: Pick<CourierLoop, 'wake'> }> = {
  name: 'network-import',
  type: 'DataImport',
  rejectReasons,

  async run(held, { courier }) {
    if (positionOf(held.work).pass === 'person') await runPass(held, 'person', peoplePass);
    if (positionOf(held.work).pass === 'circle') await runPass(held, 'circle', circlesPass, courier);
    if (positionOf(held.work).pass === 'post') await runPass(held, 'post', postsPass, courier);
  },
};

/** From the position on, to the end of the file, and then to the beginning of the next pass. */
async function runPass<Row>(
  held: HeldWork,
  kind: RowKind,
  { read, bounds, store, stored }: Pass<Row>,
  courier?: Pick<CourierLoop, 'wake'>,
): Promise<void> {
  const { source } = held.work.input as NetworkImportInput;
  const batches = readBatches(held, kind, {
    from: positionOf(held.work),
    read: (fields) => read(fields, held.now()),
    bounds,
  });
  let { rows } = positionOf(held.work);
  for await (const batch of batches) {
    rows = batch.position.rows;
    if (batch.isLast && batch.rows.length + batch.rejects.length === 0) break; // the step that ends the pass is enough
    const hasLater = batch.hasLater || positionOf(held.work).hasLater === true;
    const position: Position = { pass: kind, ...batch.position, ...(hasLater && { hasLater }) };
    if (batch.rows.length === 0) {
      await recordRows(held, async () => ({ position, imported: 0, rejects: batch.rejects, isGoingOn: hasLater }));
      continue;
    }
    await recordRows(held, async (session) => {
      const turn = await takeTurn(held.db, session, source);
      const step = await store(held.db, session, turn, batch, held.now());
      return { ...step, position, isGoingOn: hasLater || step.isGoingOn === true };
    });
    stored();
    courier?.wake();
  }
  const next = KINDS[KINDS.indexOf(kind) + 1];
  await held.step(next ? { position: { pass: next, ...BEGIN } satisfies Position, total: rows } : { total: rows });
}

export interface NetworkUpload {
  /** Identifies the call, and becomes the id of the work. */
  readonly id: string;
  /** For display. */
  readonly fileName: string;
  readonly bytes: () => Readable; // plain or gzip
  readonly source: string;
  /** Null for a command. */
  readonly owner: string | null;
  /** Of the unpacked file. Default: 1 GiB. */
  readonly bytesMax?: number;
}

/**
 * Stores the file, unpacked, and starts its import, with an entry in the audit trail.
 * @throws InputError
 * @throws LimitError the file is larger than `bytesMax`, or the owner has too much work that has not ended
 * @throws the stream's error, with nothing kept
 */
export async function startNetworkImport(
  db: Db,
  act: Act,
  { id, fileName, bytes, source: given, owner, bytesMax }: NetworkUpload,
): Promise<WorkDocument | Refusal<'ImportFileRefused'>> {
  const source = requireSource(given);
  const stored = await storeRowsFile(db, { id, bytes, format: 'JSON_LINES', bytesMax }, act.at);
  if (typeof stored !== 'number') return stored;
  const input: NetworkImportInput = { source };
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const file = { name: fileName, bytes: stored };
    const work = await startWork(db, { id, kind: networkImport, owner, input, file }, act.at, session);
    await recordAct(db, session, act, { action: 'NETWORK_IMPORTED', subject: fileName, detail: source });
    return work;
  });
  return value;
}
