/** The invariants of all domains, for `sextant doctor`, the dashboard and the crash tests. A new domain adds an entry. */
import type { Db } from 'mongodb';
import { type Visited, visitOnly } from '../database/collections/snapshot-batches.js';
import type { CollectionDeclaration } from '../database/index.js';
import { dailyHits, monthlyHits } from './analytics/hits/hit.js';
import { findHitViolations } from './analytics/hits/hit-invariants.js';
import { findLogGrowthViolations } from './analytics/log-growth/log-growth-invariants.js';
import { logImports } from './analytics/log-import/log-import.js';
import { findLogImportViolations } from './analytics/log-import/log-import-invariants.js';
import { childrenOf, rollUps } from './analytics/sessions/roll-up.js';
import { findRollUpViolations } from './analytics/sessions/roll-up-invariants.js';
import { rollUpLevels } from './analytics/sessions/roll-up-level.js';
import { findCatalogViolations } from './commerce/catalog/catalog-invariants.js';
import { products } from './commerce/catalog/product.js';
import { findCommerceViolations } from './commerce/invariants.js';
import { carts } from './commerce/orders/cart.js';
import { orders } from './commerce/orders/order.js';
import { lacksAdministrator } from './people/invariants.js';

export interface Violation {
  readonly domain: 'analytics' | 'commerce' | 'people';
  readonly invariant: string;
  /** The violating document's id, and the affected part of it. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

export interface InvariantCheck {
  /** The data being checked. Shown to users. */
  readonly name: string;
  readonly domain: Violation['domain'];
  /** The collections whose documents count as visited. A collection listed twice counts twice. */
  readonly collections: readonly Pick<CollectionDeclaration<never>, 'collectionName'>[];
  /** @param visited called after each batch */
  find(db: Db, visited: Visited): AsyncIterable<Omit<Violation, 'domain'>>;
}

export const invariantChecks: readonly InvariantCheck[] = [
  {
    name: 'Hits',
    domain: 'analytics',
    collections: [dailyHits, monthlyHits],
    find: async function* (db, visited) {
      for await (const { invariant, document, counter, expected, found } of findHitViolations(db, visited))
        yield { invariant, subject: `${document} ${counter}`, expected, found };
    },
  },
  {
    name: 'Imports',
    domain: 'analytics',
    collections: [logImports],
    find: async function* (db, visited) {
      for await (const { import: subject, what, expected, found } of findLogImportViolations(db, visited))
        yield { invariant: `import-has-${what.replaceAll(' ', '-')}`, subject, expected, found };
    },
  },
  { name: 'Growth of the log', domain: 'analytics', collections: [], find: findLogGrowthViolations },
  {
    name: 'Roll-ups',
    domain: 'analytics',
    collections: rollUpLevels.flatMap((level) => [rollUps[level], childrenOf[level]]),
    find: async function* (db, visited) {
      for await (const { level, user, begin, figure, expected, found } of findRollUpViolations(db, visited)) {
        const subject = `${figure} of ${user}, ${level} ${begin.toISOString()}`;
        yield { invariant: 'roll-up-is-sum-of-its-children', subject, expected, found };
      }
    },
  },
  { name: 'Catalog', domain: 'commerce', collections: [products], find: findCatalogViolations },
  {
    name: 'People',
    domain: 'people',
    collections: [],
    find: async function* (db) {
      if (await lacksAdministrator(db))
        yield { invariant: 'an-administrator-stays', subject: 'users', expected: 1, found: 0 };
    },
  },
  {
    name: 'Stock, carts, orders and money',
    domain: 'commerce',
    collections: [products, carts, orders],
    find: findCommerceViolations,
  },
];

/** The progress of a check. */
export interface CheckProgress {
  /** The name of the data being checked. */
  readonly step: string;
  /** Documents visited so far. */
  readonly done: number;
  /** Documents to visit, as estimated at the start. */
  readonly total: number;
}

/** Called at each step and after each batch. It may wait, to leave database capacity to others. */
export type OnCheckProgress = (progress: CheckProgress) => Promise<void>;

/** Yields the violations in a database at rest. Reads all documents that have invariants. */
export async function* findViolations(db: Db, onProgress: OnCheckProgress = visitOnly): AsyncGenerator<Violation> {
  const total = onProgress === visitOnly ? 0 : await estimateDocuments(db);
  let done = 0;
  for (const { name: step, domain, find } of invariantChecks) {
    await onProgress({ step, done, total });
    const visited = (documents: number) => {
      done += documents;
      return onProgress({ step, done, total: Math.max(done, total) });
    };
    for await (const violation of find(db, visited)) yield { domain, ...violation };
  }
}

async function estimateDocuments(db: Db): Promise<number> {
  const names = invariantChecks.flatMap(({ collections }) => collections.map(({ collectionName }) => collectionName));
  const counts = await Promise.all(names.map((name) => db.collection(name).estimatedDocumentCount()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The first violations only: a complete list of a badly broken database would not help to understand it. */
export async function findFirstViolations(db: Db, max: number, onProgress?: OnCheckProgress): Promise<Violation[]> {
  const violations: Violation[] = [];
  for await (const violation of findViolations(db, onProgress)) if (violations.push(violation) === max) break;
  return violations;
}
