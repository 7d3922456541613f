/** Kills the server at every failpoint of its code. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { hits } from '../analytics/hits/hit-scenarios.js';
import { preAllocation } from '../analytics/hits/pre-allocation-scenarios.js';
import { events } from '../analytics/log/request-scenarios.js';
import {
  growthBegun,
  growthChanged,
  growthDropped,
  growthImpossible,
  growthKept,
} from '../analytics/log-growth/log-growth-scenarios.js';
import { logImport, logOfAnother, logRepeat, logUndo } from '../analytics/log-import/log-import-scenarios.js';
import { looseBatch, looseBatchLeft, looseUndo } from '../analytics/log-import/log-loose-batch-scenarios.js';
import {
  sessionsRebuilt,
  sessionsRecorded,
  sessionsRemoved,
  sessionsRolledUp,
} from '../analytics/sessions/session-scenarios.js';
import { categoryMove, productsMigrated, productsSaved } from '../commerce/catalog/catalog-scenarios.js';
import {
  jobsInterrupted,
  transferBegunAgain,
  transferRecorded,
  transferTakenBack,
  transferWorker,
} from '../commerce/money/transfer-scenarios.js';
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
} from '../commerce/orders/cart-scenarios.js';
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
} from '../commerce/orders/checkout-scenarios.js';
import {
  orderRefundDeclined,
  orderRefunded,
  refundWorker,
  transferReversalRefused,
  transferReversed,
} from '../commerce/orders/reversal-scenarios.js';
import { jobsBegunAgain } from '../jobs/job-scenarios.js';
import {
  apiKey,
  confirmation,
  invitation,
  passwordChange,
  passwordForgotten,
  passwordReset,
  signUpBegun,
  signUpDone,
} from '../people/people-scenarios.js';
import { session } from '../people/sign-in-scenarios.js';
import { findFailpoints } from './failpoints.js';
import { crash } from './harness.js';
import type { Scenario } from './scenario.js';

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
