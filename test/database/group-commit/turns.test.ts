import { describe, expect, it } from 'vitest';
import { turnsOf } from '../../../src/database/index.js';
import { useDatabase } from '../../support/database.js';

const test = useDatabase();

/** Work that runs until it is told to end, and what has begun. */
function makeWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((end) => void ends.set(name, end));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

describe('the turns of one kind of records', () => {
  it('let groups run together and other work alone, in the order in which they asked', async () => {
    const { begun, work, end } = makeWork();
    const turns = turnsOf(test.db, 'order');
    const groups = [turns.share(work('group 1')), turns.share(work('group 2'))];
    const part = turns.alone(work('part'));
    const last = turns.share(work('group 3'));
    await Promise.resolve();
    expect(begun).toEqual(['group 1', 'group 2']);
    end('group 1');
    await groups[0];
    expect(begun).toEqual(['group 1', 'group 2']); // the part waits for both
    end('group 2');
    await groups[1];
    await expect.poll(() => begun).toEqual(['group 1', 'group 2', 'part']);
    end('part');
    await part;
    await expect.poll(() => begun).toEqual(['group 1', 'group 2', 'part', 'group 3']);
    end('group 3');
    await last;
  });

  it('pass on when the work fails', async () => {
    const turns = turnsOf(test.db, 'failing');
    await expect(turns.alone(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    await expect(turns.share(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await turns.alone(async () => 'done')).toBe('done');
  });

  it('are the same for every handle on the database, and separate for each kind', () => {
    const handle = test.client.db(test.db.databaseName);
    expect(turnsOf(handle, 'hits')).toBe(turnsOf(test.db, 'hits'));
    expect(turnsOf(test.db, 'receipts')).not.toBe(turnsOf(test.db, 'hits'));
  });
});
