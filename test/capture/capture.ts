/**
 * Watches what the product sends to MongoDB while tests run: every query shape, to explain it on the tests' own data, and every
 * write, to check its routing and that a failpoint separates it from the next one. Commands of the tests themselves are ignored.
 *
 * The caller is known when the driver's method is called, but the command only when it is sent. So the method puts the caller into
 * the command's `comment`. A query or write without one came from an unwatched method and is an error, so nothing goes unseen.
 * An operation is a call of a model or a request to the server, see `operation.ts`.
 */
import { Collection, type CommandStartedEvent, Db, type Document, MongoClient } from 'mongodb';
import { writesBesideOperations } from '../rules/exemptions.js';
import { callerInSource } from './caller.js';
import { currentOperation, type Operation, writeHappened } from './operation.js';
import { type QueryShape, shapesOf } from './query-shape.js';

/** The position of the options among the arguments of each method. */
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

/** The content of a command's `comment`. */
interface Origin {
  /** For example `src/models/analytics/sites/site.ts findSite`; null for a test or a library. */
  readonly caller: string | null;
  /** Key into `operations`: a comment is BSON and cannot hold the object itself. */
  readonly operation: number | null;
}

export interface CapturedShape {
  readonly caller: string;
  /** The first and the last command of the shape: their values may match quite different data. */
  readonly samples: [QueryShape, QueryShape?];
}

/** By database, then by the shape's text. */
const captured = new Map<string, Map<string, CapturedShape>>();
/** By database: queries and writes without an origin. */
const unwatched = new Map<string, Set<string>>();
const operations = new Map<number, Operation>();

export function capturedDatabases(): string[] {
  return [...new Set([...captured.keys(), ...unwatched.keys()])];
}

export function capturedShapes(database: string): ReadonlyMap<string, CapturedShape> {
  return captured.get(database) ?? new Map();
}

/** Also of the databases into which its log rotates. For the next file that uses it. */
export function forgetCaptured(database: string): void {
  const names = capturedDatabases().filter((name) => name === database || name.startsWith(`${database}_log_`));
  for (const name of names) {
    captured.delete(name);
    unwatched.delete(name);
  }
  operations.clear(); // all that use the database have ended
}

/** Commands from unwatched methods of the driver, for example `update rooms`. Emptied by reading. */
export function takeUnwatchedCommands(database: string): string[] {
  const commands = unwatched.get(database);
  unwatched.delete(database);
  return [...(commands ?? [])];
}

/** Patches the driver for this process. Called once, by the run's setup file. */
export function installCapture(): void {
  for (const [method, at] of Object.entries(optionsAt)) {
    const original = Reflect.get(Collection.prototype, method) as (...args: unknown[]) => unknown;
    Reflect.set(Collection.prototype, method, function patched(this: Collection, ...args: unknown[]): unknown {
      return original.apply(this, withComment(args, at));
    });
  }
  const command = Reflect.get(Db.prototype, 'command') as (...args: unknown[]) => Promise<Document>;
  Reflect.set(Db.prototype, 'command', function patched(this: Db, ...args: [Document, ...unknown[]]): unknown {
    const [name = ''] = Object.keys(args[0]);
    return command.apply(this, isJudged(name, args[0]) ? withComment(args, 0) : args);
  });
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

/** @param at which argument holds the comment: the options, or the command itself */
function withComment(args: unknown[], at: number): unknown[] {
  const holder = (args[at] ?? {}) as Document;
  if (holder.comment !== undefined) return args;
  const caller = callerInSource();
  const operation = caller === null || caller in writesBesideOperations ? null : currentOperation();
  if (operation) operations.set(operation.number, operation);
  const origin: Origin = { caller, operation: operation?.number ?? null };
  const commented = [...args];
  commented[at] = { ...holder, comment: origin };
  return commented;
}

/** Whether it reads by a filter, or writes. */
const isJudged = (name: string, command: Document) => WRITES.has(name) || shapesOf(name, command).length > 0;

/** Commands sent by the product. */
interface Sent extends Origin {
  readonly caller: string;
}

interface Started {
  readonly origin: Sent;
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
    } else if (!origin) {
      if (isJudged(event.commandName, event.command)) notWatched(event);
    } else if (isSent(origin)) {
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

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

const isSent = (origin: Origin): origin is Sent => typeof origin.caller === 'string';

function notWatched({ databaseName, commandName, command }: CommandStartedEvent): void {
  const commands = unwatched.get(databaseName) ?? new Set();
  unwatched.set(databaseName, commands.add(`${commandName} ${command[commandName]}`));
}

function record(event: CommandStartedEvent, origin: Sent): void {
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

/** A guard that matched nothing has not written. Unacknowledged writes and commits have no counts: they count as written. */
function changedSomething(reply: Document): boolean {
  const changed = reply.lastErrorObject?.n ?? reply.n;
  return changed === undefined || changed > 0 || (reply.upserted?.length ?? 0) > 0;
}
