/** How the events of a channel are spaced out. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace } from '../../src/realtime/channels/pace.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** Sends as often as it may. @returns when it did, in milliseconds */
function sendAlways(everyMs: number): { readonly sent: number[]; readonly pace: Pace } {
  const sent: number[] = [];
  const begun = performance.now();
  const send = () => {
    while (pace.begin(everyMs)) sent.push(performance.now() - begun);
  };
  const pace = new Pace(send);
  send();
  return { sent, pace };
}

describe('the pace of a channel', () => {
  it('sends the first event at once, and the next one after the pause', () => {
    const { sent } = sendAlways(100);
    expect(sent).toEqual([0]);
    vi.advanceTimersByTime(350);
    expect(sent).toEqual([0, 100, 200, 300]);
  });

  it('is not held back without a pause', () => {
    const pace = new Pace(() => undefined);
    expect([pace.begin(0), pace.begin(0)]).toEqual([true, true]);
  });

  it('sends nothing after its end', () => {
    const { sent, pace } = sendAlways(100);
    pace.end();
    vi.advanceTimersByTime(1000);
    expect(sent).toEqual([0]);
  });
});
