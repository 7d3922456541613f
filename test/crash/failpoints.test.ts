/** Kills the server at every failpoint of its code. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicaSet, startReplicaSet } from '../support/replica-set.js';
import { findFailpoints } from './failpoints.js';
import { crash } from './harness.js';
import type { Scenario } from './scenario.js';
import {
  cartForgets,
  cartInTheWay,
  cartLowered,
  cartRefusalNoted,
  cartRefused,
  cartRepeated,
  cartsExpired,
  cartTooLate,
  holdsRepaired,
} from './scenarios/carts.js';
import { categoryMove, productsMigrated, productsSaved } from './scenarios/catalog.js';
import {
  checkoutDeclined,
  checkoutRecorded,
  checkoutRecovered,
  checkoutRepeated,
  checkoutWorker,
  orderDeleted,
  orderRaiseDeclined,
  orderRaised,
  orderRaiseUndone,
  recoveryBegun,
  recoveryRecorded,
} from './scenarios/checkouts.js';
import { events } from './scenarios/events.js';
import { hits } from './scenarios/hits.js';
import { jobsBegunAgain } from './scenarios/jobs.js';
import { growthBegun, growthChanged, growthDropped, growthImpossible, growthKept } from './scenarios/log-growth.js';
import { logImport, logOfAnother, logRepeat, logUndo } from './scenarios/log-import.js';
import { looseBatch, looseBatchLeft, looseUndo } from './scenarios/log-loose-batch.js';
import {
  apiKey,
  confirmation,
  invitation,
  passwordChange,
  passwordForgotten,
  passwordReset,
  signUpBegun,
  signUpDone,
} from './scenarios/people.js';
import { preAllocation } from './scenarios/pre-allocation.js';
import {
  orderRefundDeclined,
  orderRefunded,
  refundWorker,
  transferReversalRefused,
  transferReversed,
} from './scenarios/reversals.js';
import { session } from './scenarios/session.js';
import { sessionsRebuilt, sessionsRecorded, sessionsRemoved, sessionsRolledUp } from './scenarios/sessions.js';
import {
  jobsInterrupted,
  transferBegunAgain,
  transferRecorded,
  transferTakenBack,
  transferWorker,
} from './scenarios/transfers.js';

const scenarios = [
  categoryMove,
  productsMigrated,
  productsSaved,
  apiKey,
  cartForgets,
  cartInTheWay,
  cartLowered,
  cartRefusalNoted,
  cartRefused,
  cartRepeated,
  cartTooLate,
  cartsExpired,
  checkoutDeclined,
  checkoutRecorded,
  checkoutRecovered,
  checkoutRepeated,
  checkoutWorker,
  confirmation,
  events,
  growthBegun,
  growthChanged,
  growthDropped,
  growthImpossible,
  growthKept,
  hits,
  holdsRepaired,
  invitation,
  jobsBegunAgain,
  jobsInterrupted,
  logImport,
  logOfAnother,
  logRepeat,
  logUndo,
  looseBatch,
  looseBatchLeft,
  looseUndo,
  orderDeleted,
  orderRaiseDeclined,
  orderRaised,
  orderRaiseUndone,
  orderRefundDeclined,
  orderRefunded,
  passwordChange,
  passwordForgotten,
  passwordReset,
  preAllocation,
  recoveryBegun,
  recoveryRecorded,
  refundWorker,
  session,
  sessionsRebuilt,
  sessionsRecorded,
  sessionsRemoved,
  sessionsRolledUp,
  signUpBegun,
  signUpDone,
  transferBegunAgain,
  transferRecorded,
  transferReversalRefused,
  transferReversed,
  transferTakenBack,
  transferWorker,
] as unknown as readonly Scenario<unknown>[];
const sites = findFailpoints();
const TIMEOUT_MS = 180_000; // starting the server and its work, even on a busy machine

describe('the failpoints of the code', () => {
  it('have unique names', () => {
    const names = sites.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('have a scenario each', () => {
    const covered = scenarios.flatMap(({ failpoints }) => Object.keys(failpoints));
    expect(covered.toSorted()).toEqual(sites.map(({ name }) => name).toSorted());
  });
});

const runs = scenarios.flatMap((scenario) =>
  Object.keys(scenario.failpoints).map((failpoint) => ({ failpoint, scenario })),
);

describe('a server that dies', () => {
  let set: ReplicaSet;
  let client: MongoClient;
  beforeAll(async () => {
    set = await startReplicaSet();
    client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
  });
  afterAll(async () => {
    await client.close();
    await set.stop();
  });

  it.concurrent.for(runs)(
    'at $failpoint keeps what was acknowledged, and leaves nothing half done',
    { timeout: TIMEOUT_MS },
    async ({ failpoint, scenario }, { signal }) => {
      const db = client.db(`crash_${failpoint.replaceAll('.', '_')}`);
      await crash({ mongodbUri: set.uri, db, failpoint, scenario, signal });
      await db.dropDatabase(); // a server can open only a limited number of files
    },
  );
});
