/** How many impressions are to be expected of what was shown in a minute. */
import { expect, it } from 'vitest';
import { MinuteCount } from '../../../src/models/ads/decisions/minute-count.js';
import { minutesLater, now } from '../network.js';

function addAt(counted: MinuteCount, minute: number, decisions: number, impressions: number, price = 1): void {
  for (let n = 0; n < decisions; n += 1) counted.add('a', 'decisions', price, minutesLater(minute));
  for (let n = 0; n < impressions; n += 1) counted.add('a', 'impressions', price, minutesLater(minute));
}

it('a decision counts as an impression, until those of the minutes before are known', () => {
  const counted = new MinuteCount();
  addAt(counted, 0, 19, 4);
  expect(counted.of('a', now)).toBe(19);
  expect(counted.of('b', now)).toBe(0);
  addAt(counted, 1, 8, 0);
  expect(counted.of('a', minutesLater(1))).toBe(2); // one in four
  addAt(counted, 1, 0, 3);
  expect(counted.of('a', minutesLater(1))).toBe(3);
});

it('a decision counts as at least a twentieth of an impression, and at most as one', () => {
  const counted = new MinuteCount();
  addAt(counted, 0, 1000, 0);
  addAt(counted, 1, 20, 1000);
  expect(counted.of('a', minutesLater(2))).toBe(0);
  addAt(counted, 2, 7, 0);
  expect(counted.of('a', minutesLater(2))).toBe(7);
  const unseen = new MinuteCount();
  addAt(unseen, 0, 1000, 0);
  addAt(unseen, 1, 20, 0);
  expect(unseen.of('a', minutesLater(1))).toBe(1);
});

it('an impression at a bid counts as its price, and says no more than another one of how many are seen', () => {
  const counted = new MinuteCount();
  addAt(counted, 0, 4, 0, 100);
  expect(counted.of('a', now)).toBe(400);
  addAt(counted, 0, 15, 4);
  addAt(counted, 1, 8, 0, 100);
  expect(counted.of('a', minutesLater(1))).toBe(200); // one in four
  addAt(counted, 1, 0, 3, 100);
  expect(counted.of('a', minutesLater(1))).toBe(300);
});

it('what was shown long ago is forgotten, also if the clock is set back', () => {
  for (const minute of [30, -30]) {
    const counted = new MinuteCount();
    addAt(counted, 0, 1000, 0);
    addAt(counted, minute, 5, 0);
    expect(counted.of('a', minutesLater(minute))).toBe(5);
  }
});
