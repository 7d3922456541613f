/**
 * Writes a subscription's events as `next` messages straight to the connection: the cohort's payload is made once, and each subscriber's
 * frame is that payload between its own operation id and a brace, in one write. Everything else of the protocol stays
 * with graphql-ws; whole frames may stand between its own.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Consumer } from '../realtime/index.js';
import type { Cohort, Source } from './shared-subscription.js';

/** What a connection may hold back before its subscriptions wait, and their changes merge. */
const UNSENT_BYTES_MAX = 131_072;
/** Larger frames are not kept for the next subscriber: the last one stays in memory. */
const KEPT_BYTES_MAX = 65_536;
const CLOSING_BRACE = 0x7d;
const TEXT_FRAME = 0x81; // final, text

export interface FrameTarget {
  readonly socket: WebSocket;
  /** The connection under the socket. */
  readonly stream: Duplex;
  /** The operation's id, as the client chose it. */
  readonly id: string;
}

/**
 * Delivers a subscription's events as frames.
 * @returns what graphql-ws waits on: it gives nothing, ends when the subscription ends, and fails as it fails
 */
export function deliverFrames(source: Source, cohort: Cohort, target: FrameTarget): AsyncIterableIterator<never> {
  let settle: (error?: Error) => void = () => undefined;
  const ended = new Promise<IteratorResult<never>>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve({ value: undefined, done: true }));
  });
  const writer = new FrameWriter(cohort, target, {
    resume: () => source.resume(),
    fail: (error) => source.end(error),
    ended: (error) => {
      cohort.leave();
      settle(error);
    },
  });
  target.stream.setMaxListeners(0); // each of the socket's subscriptions may wait for it to drain
  source.attach(writer);
  const leave = async (): Promise<IteratorResult<never>> => {
    await source.return();
    return { value: undefined, done: true };
  };
  return {
    next: () => ended,
    return: leave,
    throw: leave,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What the writer tells its subscription. */
interface Subscription {
  readonly resume: () => void;
  readonly fail: (error: Error) => void;
  readonly ended: (error?: Error) => void;
}

class FrameWriter implements Consumer<object> {
  readonly #cohort: Cohort;
  readonly #target: FrameTarget;
  readonly #subscription: Subscription;
  /** Everything of the message up to the payload. */
  readonly #prefix: Buffer;

  constructor(cohort: Cohort, target: FrameTarget, subscription: Subscription) {
    this.#cohort = cohort;
    this.#target = target;
    this.#subscription = subscription;
    this.#prefix = unpooled(`{"id":${JSON.stringify(target.id)},"type":"next","payload":`);
  }

  take(event: object): boolean {
    const payload = this.#cohort.payloadOf(event);
    if (payload instanceof Promise) {
      payload.then(
        (ready) => {
          if (this.#write(ready)) this.#subscription.resume();
        },
        (error: Error) => this.#subscription.fail(error),
      );
      return false;
    }
    return this.#write(payload);
  }

  end(error?: Error): void {
    this.#subscription.ended(error);
  }

  /** @returns whether the connection takes more at once */
  #write(payload: Buffer): boolean {
    const { socket, stream } = this.#target;
    if (socket.readyState !== socket.OPEN) return false; // it is closing: its end ends the subscription
    stream.write(frames.make(this.#prefix, payload));
    if (stream.writableLength === 0) return true;
    frames.release(); // the stream still holds it
    if (stream.writableLength <= UNSENT_BYTES_MAX) return true;
    stream.once('drain', this.#subscription.resume);
    return false;
  }
}

/** Bytes of their own: a slice of Node.js's pool would keep all 8 KiB of it alive, 4.6 KB for each idle subscriber (measured). */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Frames of one payload differ in the operation's id only. As long as each was taken by the operating system at once, the next one is
 * written over it: a thousand subscribers cost one allocation.
 */
class Frames {
  #latest: { readonly frame: Buffer; readonly payload: Buffer; readonly prefixLength: number } | null = null;

  /** Good until the next call, or for ever once `release` was called. */
  make(prefix: Buffer, payload: Buffer): Buffer {
    const latest = this.#latest;
    if (latest?.payload === payload && latest.prefixLength === prefix.length) {
      latest.frame.set(prefix, latest.frame.length - 1 - payload.length - prefix.length);
      return latest.frame;
    }
    const frame = toFrame(prefix, payload);
    this.#latest = frame.length > KEPT_BYTES_MAX ? null : { frame, payload, prefixLength: prefix.length };
    return frame;
  }

  release(): void {
    this.#latest = null;
  }
}

const frames = new Frames();

/** One unmasked text frame (RFC 6455, section 5.2) of prefix, payload and a closing brace. */
function toFrame(prefix: Buffer, payload: Buffer): Buffer {
  const length = prefix.length + payload.length + 1;
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
  prefix.copy(frame, head);
  payload.copy(frame, head + prefix.length);
  frame[head + length - 1] = CLOSING_BRACE;
  return frame;
}
