import { parse } from 'graphql';
import type { Sink } from 'graphql-ws';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

interface Begun {
  readonly sink: Sink<object>;
  isOpen: boolean;
}

const begun: Begun[] = [];
vi.mock('../../web/src/api/socket.js', () => ({
  liveSocket: () => ({
    subscribe: (_payload: object, sink: Sink<object>) => {
      const one: Begun = { sink, isOpen: true };
      begun.push(one);
      return () => {
        one.isOpen = false;
        sink.complete(); // as graphql-ws does
      };
    },
  }),
  noteEvent: () => undefined,
  reopenInNewSession: () => undefined,
}));

type Follow = (
  document: object,
  variables: object,
  sink: { readonly event: () => void; readonly refused: (message: string) => void },
) => () => void;
// By a name, since its types need those of a browser.
const module = '../../web/src/api/subscription.js';
const { follow } = (await import(module)) as { readonly follow: Follow };

beforeEach(() => {
  begun.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const document = parse('subscription { changed { cursor } }');

/** As the server answers what it does not let begin: with an answer, and then with the end. */
function refuse(code: string): void {
  const sink = begun.at(-1)?.sink;
  sink?.next({ errors: [{ message: 'No', extensions: { code } }] } as never);
  sink?.complete();
}

it('a subscription that fails to begin is begun again once for each failure', () => {
  const stop = follow(document, {}, { event: () => undefined, refused: () => undefined });
  for (let failures = 1; failures <= 5; failures += 1) {
    refuse('SERVER_BUSY');
    vi.advanceTimersByTime(10_000);
    expect(begun).toHaveLength(failures + 1);
  }
  stop();
});

it('a subscription that is refused for good is not begun again, and says so once', () => {
  const refused: string[] = [];
  const stop = follow(document, {}, { event: () => undefined, refused: (message) => refused.push(message) });
  refuse('NOT_FOUND');
  vi.advanceTimersByTime(10_000);
  expect(begun).toHaveLength(1);
  expect(refused).toEqual(['No']);
  stop();
});

/** An event of which a resolver fails. The server goes on with the subscription. */
const failOnce = (code: string) =>
  begun.at(-1)?.sink.next({ data: null, errors: [{ message: 'No', extensions: { code } }] } as never);
const send = (cursor: string) => {
  for (const { sink, isOpen } of begun) if (isOpen) sink.next({ data: { changed: { cursor } } } as never);
};
const openCount = () => begun.filter(({ isOpen }) => isOpen).length;

it('an event that fails leaves one subscription open, which ends with its page', () => {
  let events = 0;
  const event = () => {
    events += 1;
  };
  const stop = follow(document, {}, { event, refused: () => undefined });
  for (let failures = 0; failures < 3; failures += 1) {
    failOnce('DATABASE_UNAVAILABLE');
    vi.advanceTimersByTime(10_000);
  }
  expect(openCount()).toBe(1);
  send('1');
  expect(events).toBe(1);
  stop();
  expect(openCount()).toBe(0);
  send('2');
  expect(events).toBe(1);
});

it('an event that is refused for good ends the subscription', () => {
  const refused: string[] = [];
  follow(document, {}, { event: () => undefined, refused: (message) => refused.push(message) });
  failOnce('FORBIDDEN');
  expect(openCount()).toBe(0);
  expect(refused).toEqual(['No']);
});
