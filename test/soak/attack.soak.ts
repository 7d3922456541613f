import { describe, it } from 'vitest';
import { chooseSeed } from '../../harness/random.js';
import { attack } from '../crash/attack.js';
import { soakMs } from './duration.js';

describe('two servers under every load at once for a long time', () => {
  it('lose nothing, count nothing twice, and recover without help', async () => {
    const end = performance.now() + soakMs;
    await attack(chooseSeed('attack'), (blows) => {
      process.stderr.write(`${blows} blows survived\n`);
      return performance.now() < end;
    });
  });
});
