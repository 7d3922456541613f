/** What the terminal makes of happenings that come once, late, again, or not at all. */
import { describe, expect, it } from 'vitest';
import {
  add,
  emptyLog,
  forget,
  hear,
  isOvertaken,
  LINES_MAX,
  type Log,
  resume,
} from '../../../web/src/game/screen/log.js';
import { happening, screenOf } from './screens.js';

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => happening(first + at));
const heard = (first: number, last: number, roomId = 'harbor') =>
  screenOf({ happenings: from(first, last), location: { id: roomId } });
const numbers = ({ lines }: Log) => lines.flatMap((line) => (line.kind === 'happened' ? [line.number] : []));
const kinds = ({ lines }: Log) => lines.map(({ kind }) => kind);

describe('happenings', () => {
  it('are shown once, however often they come', () => {
    const log = [heard(1, 3), heard(1, 3), heard(2, 5), heard(1, 4)].reduce(hear, emptyLog);
    expect(numbers(log)).toEqual([1, 2, 3, 4, 5]);
  });

  it('go on after a reload where the kept log ends', () => {
    const kept = JSON.parse(JSON.stringify(hear(emptyLog, heard(1, 3)))) as Log;
    expect(numbers(resume(kept, heard(2, 6)))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('start again if the server tells fewer than were shown: it was restored, or the name has a new character', () => {
    const kept = hear(emptyLog, heard(1, 9));
    expect(numbers(resume(kept, heard(1, 2)))).toEqual([1, 2]);
  });

  it('that are no longer kept are counted', () => {
    const log = hear(hear(emptyLog, heard(1, 3)), heard(10, 109));
    expect(log.lines.find(({ kind }) => kind === 'lost')).toMatchObject({ count: 6 });
    expect(numbers(log).slice(0, 5)).toEqual([1, 2, 3, 10, 11]);
  });

  it('that only others heard leave a gap, and are no loss', () => {
    const log = hear(hear(emptyLog, heard(1, 3)), heard(10, 12));
    expect(kinds(log)).not.toContain('lost');
    expect(numbers(log)).toEqual([1, 2, 3, 10, 11, 12]);
  });

  it('of a fresh page are no loss', () => {
    expect(kinds(hear(emptyLog, heard(50, 51)))).toEqual(['happened', 'happened', 'room']);
  });

  it('of a screen that was overtaken on its way are recognized', () => {
    const log = hear(emptyLog, heard(1, 5));
    expect(isOvertaken(log, heard(1, 4))).toBe(true);
    expect(isOvertaken(log, heard(1, 5))).toBe(false); // somebody came online: nothing happened, but it is news
  });
});

describe('a room', () => {
  it('is described in place of the coming, not of a way that leads back into it', () => {
    const who = { id: 'mira', name: 'Mira' };
    const came = happening(2, { kind: 'CAME', text: 'You are here: The inn.', who });
    const around = happening(3, { kind: 'CAME', text: 'You go around, and are here again: The inn.', who });
    const inn = { id: 'inn', name: 'The inn' };
    const log = hear(hear(emptyLog, heard(1, 1)), screenOf({ happenings: [came, around], location: inn }));
    expect(numbers(log)).toEqual([1, 3]);
  });

  it('is described when the character comes into it, in place of “You are here”', () => {
    const before = hear(emptyLog, heard(1, 1));
    const came = happening(2, { kind: 'CAME', text: 'You are here: The inn.', who: { id: 'mira', name: 'Mira' } });
    const log = hear(before, screenOf({ happenings: [came], location: { id: 'inn', name: 'The inn' } }));
    expect(kinds(log)).toEqual(['happened', 'room', 'room']);
    expect(log.lines.at(-1)).toMatchObject({ name: 'The inn' });
    expect(log.shown).toBe(2);
  });

  it('is described once while the character stays', () => {
    const log = [heard(1, 1), heard(1, 2), heard(1, 3)].reduce(hear, emptyLog);
    expect(kinds(log).filter((kind) => kind === 'room')).toHaveLength(1);
  });
});

describe('the lines', () => {
  it('are bounded, and have ids of their own', () => {
    let log = emptyLog;
    for (let at = 0; at < LINES_MAX + 50; at += 1) log = add(log, { kind: 'typed', key: `${at}`, text: `line ${at}` });
    expect(log.lines).toHaveLength(LINES_MAX);
    expect(new Set(log.lines.map(({ id }) => id)).size).toBe(LINES_MAX);
    expect(log.lines.at(-1)).toMatchObject({ text: `line ${LINES_MAX + 49}` });
  });
});

describe('acts that are forgotten', () => {
  const act = { do: 'type', text: 'look' } as const;
  const told = (...given: { words?: string; isUnsent: boolean }[]) =>
    forget(
      emptyLog,
      given.map((each) => ({ key: 'a', act, at: 0, ...each })),
    ).lines.map((line) => line.kind === 'told' && line.text);

  it('are named, apart those that may have been done', () => {
    const sent = { words: 'take lamp', isUnsent: false };
    expect(told(sent, { words: 'n', isUnsent: true }, { words: 'say hello', isUnsent: true })).toEqual([
      'More than an hour has passed. It is not known whether this was done: take lamp',
      'More than an hour has passed. This was not sent: n; say hello',
    ]);
  });
  it('of earlier releases have no name, and are not told', () => {
    expect(told({ isUnsent: false })).toEqual([]);
  });
});
