/**
 * Simulates, within a test process, a process that dies: a database that stops responding after a number of writes. Earlier writes are
 * kept, and everything sent afterwards fails as if it had never been sent. Also simulates a slow process.
 */
import type { Collection, Db } from 'mongodb';
import { asAnotherProcess } from '../../capture/operation.js';

const WRITES: ReadonlySet<PropertyKey> = new Set([
  'insertOne',
  'updateOne',
  'updateMany',
  'deleteOne',
  'findOneAndUpdate',
]);
const READS: ReadonlySet<PropertyKey> = new Set(['findOne', 'find']);

/** Thrown by each read and write after the process has died. */
export class Died extends Error {}

/** @param writes the number of writes before the process dies */
export function dyingDatabase(db: Db, writes: number): Db {
  const life = { left: writes };
  return withCollections(db, (collection) => dyingCollection(collection, life));
}

function dyingCollection(collection: Collection, life: { left: number }): Collection {
  return new Proxy(collection, {
    get: (target, property) => {
      const method: unknown = Reflect.get(target, property, target);
      if (typeof method !== 'function') return method;
      const isWrite = WRITES.has(property);
      if (!isWrite && !READS.has(property)) return method.bind(target);
      return (...args: unknown[]) => {
        if (life.left <= 0) throw new Died('The process is dead');
        if (isWrite) life.left -= 1;
        return Reflect.apply(method, target, args);
      };
    },
  });
}

/**
 * A slow process: something else happens right before one of its calls of a collection.
 * @param turn which of them: 1 is the first
 */
export function slowDatabase(
  db: Db,
  name: string,
  meanwhile: () => Promise<unknown>,
  method: 'findOne' | 'findOneAndUpdate' | 'updateOne' | 'deleteOne' | 'bulkWrite' = 'findOneAndUpdate',
  turn = 1,
): Db {
  let calls = 0;
  const slow = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, property) => {
        const called: unknown = Reflect.get(target, property, target);
        if (typeof called !== 'function') return called;
        if (property !== method) return called.bind(target);
        return async (...args: unknown[]) => {
          calls += 1;
          if (calls === turn) await asAnotherProcess(meanwhile);
          return Reflect.apply(called, target, args);
        };
      },
    });
  return withCollections(db, (collection) => (collection.collectionName === name ? slow(collection) : collection));
}

function withCollections(db: Db, wrap: (collection: Collection) => Collection): Db {
  return new Proxy(db, {
    get: (target, property) => {
      if (property !== 'collection') return Reflect.get(target, property, target);
      return (name: string) => wrap(target.collection(name));
    },
  });
}
