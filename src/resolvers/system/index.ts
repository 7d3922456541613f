/** System's part of the API. */
import type { DomainResolvers } from '../support/domain-resolvers.js';
import { workNode } from '../support/work.js';
import * as backgroundWork from './background-work.js';
import * as maintenance from './maintenance.js';
import * as seed from './seed.js';
import * as shardAdvice from './shard-advice.js';
import * as storage from './storage.js';
import * as systemHealth from './system.js';
import * as violation from './violation.js';

export const resolvers: DomainResolvers = {
  modules: [systemHealth, storage, maintenance, violation, shardAdvice, backgroundWork, seed],
  nodes: {
    DataImport: workNode('DataImport'),
    Seed: workNode('Seed'),
  },
};
