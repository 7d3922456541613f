/**
 * Operations: a call of a model, or a request or socket message that a server of this process handles. Two writes of one
 * operation without a failpoint between them cannot be tested by the crash harness, and are an error.
 *
 * `operation-plugin.ts` wraps the models' exported functions; `installOperations` wraps requests and watches failpoints.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import { Server, type ServerResponse } from 'node:http';
import { WebSocket } from 'ws';
import { observeFailpoints } from '../../src/shared/failpoint.js';

export interface Operation {
  readonly number: number;
  readonly name: string;
  /** The write since the last failpoint. */
  written: string | null;
  /** False once it has responded: later work of its context (timers, loops) belongs to no operation. */
  open: boolean;
}

const running = new AsyncLocalStorage<Operation | null>();
const violations = new Set<string>();
let count = 0;

export function currentOperation(): Operation | null {
  const operation = running.getStore();
  return operation?.open ? operation : null;
}

/** Two writes in a row, as `name: first, then second`. Emptied by reading. */
export function takeWriteViolations(): string[] {
  const all = [...violations];
  violations.clear();
  return all;
}

export function writeHappened(operation: Operation, what: string): void {
  if (!operation.open) return;
  if (operation.written) violations.add(`${operation.name}: ${operation.written}, then ${what}`);
  operation.written = what;
}

/**
 * Runs `work` as an operation, or as a part of the current one. It ends when the promise returned by `work` settles, otherwise
 * when `ends` closes.
 */
export function asOperation<T>(name: string, work: () => T, ends?: EventEmitter): T {
  if (currentOperation()) return work();
  count += 1;
  const operation: Operation = { number: count, name, written: null, open: true };
  const result = running.run(operation, work);
  const close = () => {
    operation.open = false;
  };
  const end = result instanceof Promise ? result : ends && closingOf(ends);
  end?.then(close, close);
  return result;
}

/** Runs work of another process while an operation of this one waits. */
export const asAnotherProcess = <T>(work: () => T): T => running.run(null, work);

const closings = new WeakMap<EventEmitter, Promise<void>>();

/** One listener per emitter: a socket has thousands of messages. */
function closingOf(emitter: EventEmitter): Promise<void> {
  const known = closings.get(emitter);
  if (known) return known;
  const closing = new Promise<void>((resolve) => {
    emitter.once('close', resolve);
  });
  closings.set(emitter, closing);
  return closing;
}

/** Called once, by the run's setup file. */
export function installOperations(): void {
  observeFailpoints(() => {
    const operation = running.getStore();
    if (operation) operation.written = null;
  });
  Reflect.set(
    globalThis,
    Symbol.for('sextant.operation'),
    <Args extends unknown[], T>(name: string, model: (...args: Args) => T) =>
      (...args: Args): T =>
        asOperation(name, () => model(...args)),
  );
  asOperationOn(Server.prototype, 'request', 'an HTTP request');
  asOperationOn(WebSocket.prototype, 'message', 'a socket message');
}

/** Handlers of this event run as an operation. */
function asOperationOn(prototype: EventEmitter, event: string, name: string): void {
  const { emit } = prototype;
  prototype.emit = function patched(this: EventEmitter, ...args: Parameters<typeof emit>): boolean {
    if (args[0] !== event) return emit.apply(this, args);
    const ends = event === 'request' ? (args[2] as ServerResponse) : this;
    return asOperation(name, () => emit.apply(this, args), ends);
  };
}
