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

/** @param answers one for each attempt */
function open(answers: readonly Outcome[], storage = makeStorage(), now = Date.now()) {
  const left = [...answers];
  const sent: { act: Act; key: string }[] = [];
  const outcomes: Outcome['is'][] = [];
  let waiting: readonly Waiting[] = [];
  const outbox = openOutbox(
    {
      kept: keptIn(storage, 'mira'),
      send: async (act, key) => {
        sent.push({ act, key });
        return left.shift() ?? done();
      },
      wait: async () => {},
      onChange: (next) => {
        waiting = next;
      },
      onOutcome: (_waiting, outcome) => outcomes.push(outcome.is),
    },
    now,
  );
  return { outbox, sent, outcomes, storage, waiting: () => waiting };
}

describe('the outbox', () => {
  it('sends again with the same key what has no outcome, and the next one only then', async () => {
    const { outbox, sent, outcomes } = open([{ is: 'open' }, { is: 'open' }, done(), done()]);
    outbox.add(type('take lamp'));
    outbox.add(type('north'));
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
    const { key } = first.outbox.add(type('take lamp'));
    first.outbox.close();
    const second = open([done()], first.storage);
    expect(second.waiting().map((each) => each.key)).toEqual([key]);
    await second.outbox.flush();
    expect(second.sent.map((each) => each.key)).toEqual([key]);
    expect(open([], first.storage).waiting()).toEqual([]);
  });

  it('forgets what is too old for the server to recognize', () => {
    const { outbox, storage } = open([]);
    outbox.add(type('take lamp'));
    expect(open([], storage, Date.now() + KEPT_MS + 1).waiting()).toEqual([]);
  });

  it('stops a walk where a step is refused or leads elsewhere, and does the rest', async () => {
    const steps = [
      { direction: 'north', to: 'square' },
      { direction: 'east', to: 'smithy' },
    ];
    for (const wrong of [refused, done('well')]) {
      const { outbox, sent } = open([wrong]);
      outbox.addWalk(steps);
      outbox.add(type('look'));
      await outbox.flush();
      expect(sent.map(({ act }) => act.do)).toEqual(['move', 'type']);
    }
  });

  it('discards what waits', () => {
    const { outbox, waiting, storage } = open([]);
    outbox.add(type('north'));
    outbox.discard();
    expect(waiting()).toEqual([]);
    expect(storage.length).toBe(0);
  });

  it('sends nothing after it was closed', async () => {
    const { outbox, sent } = open([]);
    outbox.add(type('north'));
    outbox.close();
    await outbox.flush();
    expect(sent).toEqual([]);
  });
});
