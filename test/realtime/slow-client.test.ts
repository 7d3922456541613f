/**
 * A client that reads nothing costs the others nothing, and the server no memory that grows with time. It stalls for ten seconds here;
 * in `npm run soak` for a minute (test/soak/slow-client.soak.ts).
 */
import { describe, inject, it } from 'vitest';
import { stallOneOfMany } from './slow-client.js';

const STALL_MS = 10_000;

describe('a client that reads nothing', () => {
  it(
    'costs the others nothing, keeps memory bounded, and sees the total when it reads again',
    {
      timeout: STALL_MS + 120_000,
    },
    () => stallOneOfMany(inject('mongodbUri'), STALL_MS),
  );
});
