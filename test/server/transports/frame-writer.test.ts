import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { Backlog, Outlet } from '../../../src/server/limits/backlog.js';
import { FrameWriter } from '../../../src/server/transports/frame-writer.js';
import type { Cohort, Source } from '../../../src/server/transports/shared-subscription.js';

/** A connection that copies data immediately, like an operating system, or keeps the given buffer. */
class Connection extends Duplex {
  readonly taken: Buffer[] = [];
  readonly #held: (() => void)[] = [];
  slow = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (!this.slow) {
      this.taken.push(Buffer.from(chunk));
      done();
    } else {
      this.#held.push(() => {
        this.taken.push(Buffer.from(chunk));
        done();
      });
    }
  }

  override _read(): void {}

  recover(): void {
    this.slow = false;
    for (const finish of this.#held.splice(0)) finish();
  }
}

interface Event {
  readonly text: string;
}

const cohort = { payloadOf: ({ text }: Event) => payloads.get(text), leave: () => undefined } as unknown as Cohort;
const payloads = new Map<string, Buffer>();

function subscribe(id: string) {
  const stream = new Connection();
  let take: (event: Event) => unknown = () => undefined;
  const source = {
    attach: (consumer: { take: (event: Event) => unknown }) => (take = (event) => consumer.take(event)),
  };
  const socket = { readyState: 1, OPEN: 1 } as unknown as WebSocket;
  const outlet = new Outlet(stream, new Backlog({ bytes: 1e9, bytesPerAccount: 1e9 }), '', () => undefined);
  new FrameWriter(source as unknown as Source, cohort, { socket, stream, outlet }, id);
  return { id, stream, take: (event: Event) => take(event) };
}

/** The text of one unmasked frame of less than 64 kB. */
function textOf(frame: Buffer): string {
  expect(frame[0]).toBe(0x81);
  const short = frame[1] as number;
  const head = short < 126 ? 2 : 4;
  expect(head === 2 ? short : frame.readUInt16BE(2)).toBe(frame.length - head);
  return frame.toString('utf8', head);
}

describe('frames of subscribers that share their events', () => {
  it('each carry their own id and the whole payload, even for slow readers', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 }),
        fc.array(fc.tuple(fc.string({ maxLength: 200 }), fc.nat(63)), { minLength: 1, maxLength: 8 }),
        (ids, events) => {
          const subscribers = ids.map(subscribe);
          for (const [text, slow] of events) {
            payloads.set(text, Buffer.from(JSON.stringify(text)));
            subscribers.forEach((one, index) => {
              one.stream.slow ||= (slow & (1 << index)) !== 0;
              one.take({ text });
            });
          }
          for (const { id, stream } of subscribers) {
            stream.recover();
            expect(stream.taken.map((frame) => JSON.parse(textOf(frame)))).toEqual(
              events.map(([text]) => ({ id, type: 'next', payload: text })),
            );
          }
        },
      ),
    );
  });
});
