/**
 * Watches what the product sends to MongoDB while tests run: every query shape, to explain it on the tests' own data, and every
 * write, to check how it is routed and what stands between it and the next one. What a test itself sends is left alone.
 *
 * The caller is known at the call of the driver's method, the command later and elsewhere: so the method puts the caller into
 * the command's `comment`. An operation is a call of a model or a request to the server, see `operation.ts`.
 */
import { Collection, type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { callerInSource } from './caller.js';
import { currentOperation, type Operation, writeHappened } from './operation.js';
import { type QueryShape, shapesOf } from './query-shape.js';

/** Where the options stand among the arguments of each method. */
const optionsAt = {
  find: 1,
  findOne: 1,
  aggregate: 1,
  countDocuments: 1,
  estimatedDocumentCount: 0,
  distinct: 2,
  insertOne: 1,
  insertMany: 1,
  updateOne: 2,
  updateMany: 2,
  replaceOne: 2,
  deleteOne: 1,
  deleteMany: 1,
  findOneAndUpdate: 2,
  findOneAndReplace: 2,
  findOneAndDelete: 1,
  bulkWrite: 1,
} as const;

/** What travels in a command's `comment`. */
interface Origin {
  /** For example `src/models/analytics/site.ts findSite`. */
  readonly caller: string;
  /** Key into `operations`: a comment is BSON and cannot hold the object itself. */
  readonly operation: number | null;
}

export interface CapturedShape {
  readonly caller: string;
  /** The first and the last time that it was sent: their values may meet quite different data. */
  readonly samples: [QueryShape, QueryShape?];
}

/** By database, then by the shape's text. */
const captured = new Map<string, Map<string, CapturedShape>>();
const operations = new Map<number, Operation>();

export function capturedShapes(database: string): ReadonlyMap<string, CapturedShape> {
  return captured.get(database) ?? new Map();
}

/** Patches the driver for this process. Called once, by the run's setup file. */
export function installCapture(): void {
  for (const [method, at] of Object.entries(optionsAt)) {
    const original = Reflect.get(Collection.prototype, method) as (...args: unknown[]) => unknown;
    Reflect.set(Collection.prototype, method, function patched(this: Collection, ...args: unknown[]): unknown {
      return original.apply(this, withComment(args, at));
    });
  }
  const connect = MongoClient.prototype.connect;
  const watched = new WeakSet<MongoClient>();
  MongoClient.prototype.connect = function patched(this: MongoClient) {
    if (!watched.has(this)) {
      watched.add(this);
      watch(this);
    }
    return connect.call(this);
  };
}

function withComment(args: unknown[], at: number): unknown[] {
  const options = (args[at] ?? {}) as Document;
  if (options.comment !== undefined) return args;
  const caller = callerInSource();
  if (caller === null) return args;
  const operation = currentOperation();
  if (operation) operations.set(operation.number, operation);
  const origin: Origin = { caller, operation: operation?.number ?? null };
  const commented = [...args];
  commented[at] = { ...options, comment: origin };
  return commented;
}

interface Started {
  readonly origin: Origin;
  readonly what: string;
  readonly transaction: string | null;
}

/** Follows a client's commands: shapes when they start, writes when they have succeeded. */
function watch(client: MongoClient): void {
  client.options.monitorCommands = true;
  const started = new Map<number, Started>();
  const inTransaction = new Map<string, Started>(); // the first write of each open transaction
  client.on('commandStarted', (event) => {
    const origin = event.command.comment as Origin | undefined;
    const transaction = transactionOf(event.command);
    if (event.commandName === 'commitTransaction' && transaction) {
      const first = inTransaction.get(transaction);
      if (first) started.set(event.requestId, { ...first, what: 'transaction', transaction: null });
    } else if (typeof origin?.caller === 'string') {
      record(event, origin);
      if (WRITES.has(event.commandName)) {
        started.set(event.requestId, { origin, what: event.commandName, transaction });
      }
    }
  });
  client.on('commandFailed', ({ requestId }) => started.delete(requestId));
  client.on('commandSucceeded', ({ requestId, reply }) => {
    const write = started.get(requestId);
    if (!write) return;
    started.delete(requestId);
    if (!changedSomething(reply as Document)) return;
    if (write.transaction) {
      if (!inTransaction.has(write.transaction)) inTransaction.set(write.transaction, write);
      return;
    }
    const operation = write.origin.operation === null ? undefined : operations.get(write.origin.operation);
    if (operation) writeHappened(operation, `${write.what} by ${write.origin.caller}`);
  });
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);

function record(event: CommandStartedEvent, origin: Origin): void {
  const { databaseName, commandName, command } = event;
  for (const shape of shapesOf(commandName, command)) {
    const shapes = captured.get(databaseName) ?? new Map<string, CapturedShape>();
    captured.set(databaseName, shapes);
    const known = shapes.get(shape.text);
    if (known) known.samples[1] = shape;
    else shapes.set(shape.text, { caller: origin.caller, samples: [shape] });
  }
}

const transactionOf = (command: Document): string | null =>
  command.autocommit === false ? `${command.lsid?.id?.toString('hex')}/${command.txnNumber}` : null;

/** A guard that matched nothing has not written. Un-acknowledged writes and commits have no counts: taken as written. */
function changedSomething(reply: Document): boolean {
  const changed = reply.lastErrorObject?.n ?? reply.n;
  return changed === undefined || changed > 0 || (reply.upserted?.length ?? 0) > 0;
}
