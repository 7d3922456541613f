/** Background work dies at any of its steps: it resumes, each row is stored once, and in the end nothing is left. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { backgroundWork } from '../../../src/models/system/work/background-work.js';
import { removeOldFiles } from '../../../src/models/system/work/work-file.js';
import { WorkLoop } from '../../../src/models/system/work/work-loop.js';
import { removeOldWork } from '../../../src/models/system/work/work-removal.js';
import { DAY_MS } from '../../../src/shared/time.js';
import type { Scenario } from '../../crash/scenario.js';
import { countingKind, notTenths, numbersOf } from './work-support.js';

const WORK_ID = 'a-work';

export const work: Scenario<null> = {
  failpoints: {
    'work.file.part-stored': 2,
    'work.lease-taken': 1,
    'work.taken-up': 1,
    'work.stepped': 2,
    'work.changed': 1,
    'work.lease-released': 1,
    'work.removal.marked': 1,
    'work.removal.rejects-removed': 1,
    'work.file.rest-removed': 1,
    'work.file.removed': 1,
    'work.removal.file-removed': 1,
    'work.removal.lease-removed': 1,
  },
  program: 'test/system/work/work-program.mjs',
  variables: { WORK_ID },
  seen: null,
  async judge(_product, db) {
    if (await backgroundWork(db).findOne({ _id: WORK_ID })) await finish(db); // otherwise only its file was stored
    const left = await backgroundWork(db).findOne({ _id: WORK_ID });
    if (left && !left.removing)
      expect(await numbersOf(db, WORK_ID)).toEqual(left.state === 'UNDONE' ? [] : notTenths(45));
    await removeOldFiles(db, new Date(Date.now() + 2 * DAY_MS));
    await removeOldWork(db, new Date(Date.now() + 32 * DAY_MS));
    const remains = ['work', 'work.parts', 'work.rejects'].map((name) => db.collection(name).countDocuments());
    expect(await Promise.all(remains)).toEqual([0, 0, 0]);
    expect(await db.collection('leases').countDocuments({ _id: `work ${WORK_ID}` as never })).toBe(0);
  },
};

/** As any process would, once the lease of the dead one has expired. */
async function finish(db: Db): Promise<void> {
  const onFault = (error: unknown) => {
    throw error;
  };
  const loop = new WorkLoop(db, [countingKind], { holder: randomUUID(), now: () => new Date(), onFault });
  await waitFor('the lease of the dead process', 20_000, async () =>
    (await loop.run(WORK_ID)) === 'BUSY' ? null : true,
  );
}
