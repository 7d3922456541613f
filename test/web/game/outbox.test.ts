/** Acts that wait for the server: kept, sent in order with the same keys, and never twice at once. */
import { describe, expect, it } from 'vitest';
import type { Act, Outcome } from '../../../web/src/game/screen/act.js';
import { type KeptStorage, keptIn } from '../../../web/src/game/screen/kept.js';
import { KEPT_MS, openOutbox, type Waiting } from '../../../web/src/game/screen/outbox.js';

function makeStorage(): KeptStorage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

const type = (text: string): Act => ({ do: 'type', text });
const done = (at = 'harbor'): Outcome => ({ is: 'done', at, number: 1 });
const refused: Outcome = { is: 'refused', message: 'No.', suggestions: [] };

/** `sleepMs`: how long the machine sleeps before each attempt but the first. */
const makeClock = (sleepMs = 0) => ({ now: Date.now(), sleepMs });

/** @param answers one for each attempt */
function open(answers: readonly Outcome[], storage = makeStorage(), clock = makeClock()) {
  const left = [...answers];
  const sent: { act: Act; key: string }[] = [];
  const outcomes: Outcome['is'][] = [];
  const forgotten: string[] = [];
  let waiting: readonly Waiting[] = [];
  const outbox = openOutbox(
    {
      kept: keptIn(storage, 'mira'),
      send: async (act, key) => {
        sent.push({ act, key });
        return left.shift() ?? done();
      },
      wait: async () => {
        clock.now += clock.sleepMs;
      },
      onChange: (next) => {
        waiting = next;
      },
      onOutcome: (_waiting, outcome) => outcomes.push(outcome.is),
      onForgotten: (given) =>
        forgotten.push(...given.map(({ words, isUnsent }) => `${words}: ${isUnsent ? 'not sent' : 'not known'}`)),
    },
    () => clock.now,
  );
  return { outbox, sent, outcomes, forgotten, storage, waiting: () => waiting };
}

describe('the outbox', () => {
  it('sends again with the same key what has no outcome, and the next one only then', async () => {
    const { outbox, sent, outcomes } = open([{ is: 'open' }, { is: 'open' }, done(), done()]);
    outbox.add(type('take lamp'), 'take lamp');
    outbox.add(type('north'), 'north');
    await outbox.flush();
    expect(sent.map(({ act }) => act.do === 'type' && act.text)).toEqual([
      'take lamp',
      'take lamp',
      'take lamp',
      'north',
    ]);
    expect(new Set(sent.slice(0, 3).map(({ key }) => key)).size).toBe(1);
    expect(sent[3]?.key).not.toBe(sent[0]?.key);
    expect(outcomes).toEqual(['done', 'done']);
  });

  it('keeps over a reload what has no outcome, with its key', async () => {
    const first = open([]);
    const { key } = first.outbox.add(type('take lamp'), 'take lamp');
    first.outbox.close();
    const second = open([done()], first.storage);
    expect(second.waiting().map((each) => each.key)).toEqual([key]);
    await second.outbox.flush();
    expect(second.sent.map((each) => each.key)).toEqual([key]);
    expect(open([], first.storage).waiting()).toEqual([]);
  });

  describe('forgets what is too old for the server to recognize', () => {
    const TOO_LONG_MS = KEPT_MS + 1;
    const later = () => ({ now: Date.now() + 2 * KEPT_MS, sleepMs: 0 });

    it('when the page is opened, and says what was not sent', () => {
      const { outbox, storage } = open([]);
      outbox.add(type('take lamp'), 'take lamp');
      const { waiting, forgotten } = open([], storage, later());
      expect(waiting()).toEqual([]);
      expect(forgotten).toEqual(['take lamp: not sent']);
      expect(open([], storage, later()).forgotten).toEqual([]);
    });

    it('also if another page has sent it, and then says that nothing is known', async () => {
      const clock = makeClock();
      const { outbox, sent, forgotten, storage } = open([], makeStorage(), clock);
      outbox.add(type('take lamp'), 'take lamp');
      await open([], storage).outbox.flush();
      clock.now += TOO_LONG_MS;
      await outbox.flush();
      expect(sent).toEqual([]);
      expect(forgotten).toEqual(['take lamp: not known']);
    });

    it('before each attempt, since the machine may have slept, and sends what is typed later', async () => {
      const { outbox, sent, outcomes, forgotten } = open([{ is: 'open' }], makeStorage(), makeClock(TOO_LONG_MS));
      for (const text of ['take lamp', 'north']) outbox.add(type(text), text);
      await outbox.flush();
      expect(sent).toHaveLength(1);
      expect(forgotten).toEqual(['take lamp: not known', 'north: not sent']);
      outbox.add(type('south'), 'south');
      await outbox.flush();
      expect(sent).toHaveLength(2);
      expect(outcomes).toEqual(['done']);
    });

    it('with the rest of its walk', async () => {
      const { outbox, sent, forgotten } = open([done('square'), { is: 'open' }], makeStorage(), makeClock(TOO_LONG_MS));
      const ways = { east: 'square', south: 'smithy', west: 'well' }; // the last step is a millisecond younger
      outbox.addWalk(Object.entries(ways).map(([direction, to]) => ({ direction, to })));
      await outbox.flush();
      expect(sent).toHaveLength(2);
      expect(forgotten).toEqual(['go south: not known', 'go west: not sent']);
    });
  });

  it('stops a walk where a step is refused or leads elsewhere, and does the rest', async () => {
    const steps = [
      { direction: 'north', to: 'square' },
      { direction: 'east', to: 'smithy' },
    ];
    for (const wrong of [refused, done('well')]) {
      const { outbox, sent } = open([wrong]);
      outbox.addWalk(steps);
      outbox.add(type('look'), 'look');
      await outbox.flush();
      expect(sent.map(({ act }) => act.do)).toEqual(['move', 'type']);
    }
  });

  it('discards what waits', () => {
    const { outbox, waiting, storage } = open([]);
    outbox.add(type('north'), 'north');
    outbox.discard();
    expect(waiting()).toEqual([]);
    expect(storage.length).toBe(0);
  });

  it('sends nothing after it was closed', async () => {
    const { outbox, sent } = open([]);
    outbox.add(type('north'), 'north');
    outbox.close();
    await outbox.flush();
    expect(sent).toEqual([]);
  });
});
