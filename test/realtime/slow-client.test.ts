/**
 * A client that reads nothing does not affect the others, and the server's memory does not grow with time. It stalls for ten seconds
 * here, and for a minute in `npm run soak` (test/soak/slow-client.soak.ts).
 */
import { describe, inject, it } from 'vitest';
import { stallOneOfMany } from './slow-client.js';

const STALL_MS = 10_000;

describe('a client that reads nothing', () => {
  it(
    'does not affect the others, takes bounded memory, and sees the total when it reads again',
    {
      timeout: STALL_MS + 120_000,
    },
    () => stallOneOfMany(inject('mongodbUri'), STALL_MS),
  );
});
