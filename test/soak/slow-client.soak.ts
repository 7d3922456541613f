import { describe, it } from 'vitest';
import { startReplicaSet } from '../../harness/replica-set.js';
import { stallOneOfMany } from '../realtime/slow-client.js';

const STALL_MS = 60_000;

describe('a client that reads nothing for a minute', () => {
  it('does not affect the others, takes bounded memory, and sees the total when it reads again', async () => {
    const set = await startReplicaSet();
    try {
      await stallOneOfMany(set.uri, STALL_MS);
    } finally {
      await set.stop();
    }
  });
});
