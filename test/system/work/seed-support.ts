/** Sample data in tests of the models: fills a domain and takes it back, in this process. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, expect } from 'vitest';
import { allDomains } from '../../../src/domains.js';
import { closeDomains, type OpenDomain, openDomains } from '../../../src/models/domain.js';
import { type Seed, type SeedStep, seedKind } from '../../../src/models/seed.js';
import { requestSeedUndo, startSeed } from '../../../src/models/system/work/seed.js';
import { WorkLoop } from '../../../src/models/system/work/work-loop.js';
import type { WorkDocument } from '../../../src/models/work.js';
import { violationsOf } from '../../crash/invariants.js';
import type { TestDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';
import { testConfig } from '../../support/server.js';

export interface SeededDomain {
  readonly domain: OpenDomain & { readonly seed: Seed };
  /** @param steps instead of its own */
  fill(steps?: readonly SeedStep[]): Promise<WorkDocument>;
  undo(seed: WorkDocument, steps?: readonly SeedStep[]): Promise<WorkDocument>;
}

/** Call next to `useDatabase`. */
export function useSeed(database: TestDatabase, name: string): SeededDomain {
  let open: OpenDomain[] = [];
  beforeAll(async () => {
    const onFault = (_fault: string, error: unknown) => {
      throw error;
    };
    const { client, db } = database;
    const plans = allDomains.filter((each) => each.name === name);
    for (const plan of plans) await plan.prepare?.(db);
    const runtime = {
      client,
      db,
      now: () => new Date(),
      onFault,
      assetUses: { all: [], running: [] },
      personalData: [],
    };
    open = await openDomains(plans, runtime, { ...testConfig(), HITS_PREALLOCATE: false });
  });
  afterAll(() => closeDomains(open));

  const domainOf = () => {
    const [domain] = open;
    if (!domain?.seed) throw new Error(`${name} has no sample data`);
    return domain as SeededDomain['domain'];
  };
  const run = async ({ _id }: WorkDocument, steps?: readonly SeedStep[]): Promise<WorkDocument> => {
    const kind = steps ? seedKind(name, steps) : domainOf().seed.kind;
    const outcome = await loopOf(database.db, [kind]).run(_id);
    if (outcome === null || outcome === 'BUSY') throw new Error(`The work was not done: ${outcome}`);
    return outcome;
  };
  return {
    get domain() {
      return domainOf();
    },
    fill: async (steps) => run(workOf(await startSeed(database.db, testAct(), askFor(name, open))), steps),
    undo: async (seed, steps) =>
      run(workOf(await requestSeedUndo(database.db, testAct(), seed._id, [domainOf()])), steps),
  };
}

export const askFor = (domain: string, domains: readonly OpenDomain[]) => ({ domain, owner: null, domains });

function workOf(outcome: WorkDocument | { readonly message: string }): WorkDocument {
  if ('message' in outcome) throw new Error(outcome.message);
  return outcome;
}

const loopOf = (db: Db, kinds: ConstructorParameters<typeof WorkLoop>[1]): WorkLoop =>
  new WorkLoop(db, kinds, {
    holder: randomUUID(),
    now: () => new Date(),
    onFault: (error) => {
      throw error;
    },
  });

/** Steps of which each does its own writes twice, as after a crash before it was recorded. */
export const repeated = (steps: readonly SeedStep[]): SeedStep[] =>
  steps.map((step) => ({
    fill: async (held) => {
      await step.fill(held);
      return step.fill(held);
    },
    takeBack: async (held) => {
      await step.takeBack(held);
      return step.takeBack(held);
    },
  }));

/** All documents of a domain. Counters that are 0 count as absent; the number of the last change of the tree tells nothing. */
export async function contentsOf(db: Db, { collections }: Pick<OpenDomain, 'collections'>) {
  const all = await Promise.all(
    collections.map(async ({ collectionName }) => {
      const documents = await db.collection(collectionName).find().sort({ _id: 1 }).toArray();
      return [collectionName, documents.filter(({ count }) => count !== 0)] as const;
    }),
  );
  const { 'categories.tree': _tree, 'log.growth': _growth, ...rest } = Object.fromEntries(all);
  return rest;
}

export const expectSound = async (db: Db): Promise<void> => expect(await violationsOf(db)).toEqual([]);
