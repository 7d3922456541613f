/** All resolvers. A new noun adds two lines: its import and its entry in the list. */
import type { IResolvers } from '@graphql-tools/utils';
import * as hitChart from './analytics/hit-chart.js';
import * as logGrowth from './analytics/log-growth.js';
import * as logImport from './analytics/log-import.js';
import * as requestLog from './analytics/request-log.js';
import * as sessionStats from './analytics/session.js';
import * as shardAdvice from './analytics/shard-advice.js';
import * as site from './analytics/site.js';
import * as commerceAccount from './commerce/account.js';
import * as cart from './commerce/cart.js';
import * as category from './commerce/category.js';
import * as inventory from './commerce/inventory.js';
import * as money from './commerce/money.js';
import * as order from './commerce/order.js';
import * as product from './commerce/product.js';
import * as node from './node.js';
import * as account from './people/account.js';
import * as apiKey from './people/api-key.js';
import * as audit from './people/audit.js';
import * as passwordReset from './people/password-reset.js';
import * as session from './people/session.js';
import * as user from './people/user.js';
import * as scalars from './scalars.js';
import * as maintenance from './system/maintenance.js';
import * as system from './system/system.js';
import * as violation from './system/violation.js';

type Module = Record<string, unknown>;

const modules: Module[] = [
  scalars,
  hitChart,
  logGrowth,
  logImport,
  requestLog,
  sessionStats,
  shardAdvice,
  site,
  product,
  category,
  inventory,
  cart,
  order,
  commerceAccount,
  money,
  user,
  session,
  account,
  passwordReset,
  apiKey,
  audit,
  system,
  maintenance,
  violation,
  node,
];

/** Merges types that several modules extend (Query, Mutation, Subscription). A field defined by two modules is an error. */
function merge(parts: readonly Module[]): IResolvers {
  const merged: Record<string, Record<string, unknown> | unknown> = {};
  for (const part of parts) {
    for (const [type, value] of Object.entries(part)) {
      const present = merged[type];
      if (present === undefined) merged[type] = value;
      else merged[type] = joinFields(type, present as object, value as object);
    }
  }
  return merged as IResolvers;
}

function joinFields(type: string, left: object, right: object): object {
  for (const field of Object.keys(right)) {
    if (field in left) throw new Error(`${type}.${field} is resolved twice`);
  }
  return { ...left, ...right };
}

export const resolvers = merge(modules);
