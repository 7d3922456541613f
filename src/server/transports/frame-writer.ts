/**
 * Writes a subscription's events as `next` messages directly to the connection: the cohort's payload is rendered once, and each
 * subscriber's frame is that payload between its own operation id and a brace, in one write. Everything else of the protocol stays
 * with graphql-ws; whole frames may be interleaved with its own.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Consumer } from '../../realtime/index.js';
import type { Outlet, Waiter } from '../limits/backlog.js';
import type { Cohort, Source } from './shared-subscription.js';

/** Larger frames are not kept for the next subscriber: the last one stays in memory. */
const KEPT_BYTES_MAX = 65_536;
const CLOSING_BRACE = 0x7d;
const TEXT_FRAME = 0x81; // final, text

interface End {
  readonly error: Error | undefined;
}

const DONE: IteratorResult<never> = { value: undefined, done: true };

/** A WebSocket, its underlying connection, and its outlet. */
export interface FrameTarget {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly outlet: Outlet;
}

/**
 * Writes a subscription's events. It is also the iterator that graphql-ws awaits: it yields nothing, ends when the subscription ends,
 * and fails when it fails. One object for both, because there is one per idle subscriber.
 */
export class FrameWriter implements Consumer<object>, Waiter, AsyncIterableIterator<never> {
  readonly #source: Source;
  readonly #cohort: Cohort;
  readonly #target: FrameTarget;
  /** The message up to the payload. */
  readonly #prefix: string;
  readonly #prefixLength: number;
  #ended: End | null = null;
  #settle: ((end: End) => void) | null = null;

  /** @param id of the operation, as the client chose it */
  constructor(source: Source, cohort: Cohort, target: FrameTarget, id: string) {
    this.#source = source;
    this.#cohort = cohort;
    this.#target = target;
    this.#prefix = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    this.#prefixLength = Buffer.byteLength(this.#prefix);
    source.attach(this);
  }

  /** Renders nothing for a connection that would only buffer it. */
  isReady(): boolean {
    const { outlet } = this.#target;
    if (outlet.hasRoom) return true;
    outlet.whenRoom(this);
    return false;
  }

  goOn(): void {
    this.#source.resume();
  }

  take(event: object): boolean {
    const payload = this.#cohort.payloadOf(event);
    if (payload instanceof Promise) {
      payload.then(
        (ready) => {
          if (this.#write(ready)) this.#source.resume();
        },
        (error: Error) => this.#source.end(error),
      );
      return false;
    }
    return this.#write(payload);
  }

  end(error?: Error): void {
    this.#ended = { error };
    this.#cohort.leave();
    this.#settle?.(this.#ended);
  }

  next(): Promise<IteratorResult<never>> {
    return new Promise((resolve, reject) => {
      this.#settle = ({ error }) => (error ? reject(error) : resolve(DONE));
      if (this.#ended) this.#settle(this.#ended);
    });
  }

  async return(): Promise<IteratorResult<never>> {
    await this.#source.return();
    return DONE;
  }

  throw(): Promise<IteratorResult<never>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @returns whether the connection accepts more immediately */
  #write(payload: Buffer): boolean {
    const { socket, stream, outlet } = this.#target;
    if (socket.readyState !== socket.OPEN) return false; // it is closing, which ends the subscription
    stream.write(frames.make(this.#prefix, this.#prefixLength, payload));
    if (!outlet.noteWritten()) frames.release(); // the stream still holds it
    return true; // `isReady` is asked before the next one
  }
}

/**
 * Frames of one payload differ only in the operation's id. As long as the operating system accepts each one immediately, the next one
 * overwrites it: a thousand subscribers cost one allocation.
 */
class Frames {
  #latest: { readonly frame: Buffer; readonly payload: Buffer; readonly prefixLength: number } | null = null;

  /** Valid until the next call, or indefinitely once `release` was called. */
  make(prefix: string, prefixLength: number, payload: Buffer): Buffer {
    const latest = this.#latest;
    if (latest?.payload === payload && latest.prefixLength === prefixLength) {
      latest.frame.write(prefix, latest.frame.length - 1 - payload.length - prefixLength);
      return latest.frame;
    }
    const frame = toFrame(prefix, prefixLength, payload);
    this.#latest = frame.length > KEPT_BYTES_MAX ? null : { frame, payload, prefixLength };
    return frame;
  }

  release(): void {
    this.#latest = null;
  }
}

const frames = new Frames();

/** One unmasked text frame (RFC 6455, section 5.2) of prefix, payload and a closing brace. */
function toFrame(prefix: string, prefixLength: number, payload: Buffer): Buffer {
  const length = prefixLength + payload.length + 1;
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = TEXT_FRAME;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(prefix, head);
  payload.copy(frame, head + prefixLength);
  frame[head + length - 1] = CLOSING_BRACE;
  return frame;
}
