import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { blows, strikeAds } from '../crash/ad-kills.js';
import { soakMs } from './duration.js';

describe.each(blows)('sixty-four callers who get and record ads for a long time while $name', (blow) => {
  it('overspend nothing, exceed no cap, and have each acknowledged receipt counted once', async () => {
    const end = Date.now() + soakMs;
    await strikeAds(blow, chooseSeed(`ads while ${blow.name}`), (count) => {
      process.stderr.write(`ads while ${blow.name}: ${count} times\n`);
      return Date.now() < end;
    });
  });
});
