/** A database as a process sees it that stands still, or dies, before one of its calls. */
import type { Db } from 'mongodb';

/** A call of a collection. */
export interface DatabaseCall {
  readonly collection: string;
  readonly method: string;
  /** Its arguments. The hook may change them. */
  readonly given: readonly unknown[];
}

type Hook = (call: DatabaseCall) => Promise<void> | void;
type Method = (...given: unknown[]) => unknown;

const HOOKED: readonly unknown[] = ['findOne', 'findOneAndUpdate', 'insertOne', 'updateOne', 'deleteOne'];

/** @param hook awaited before each call. An error is that of the call, which is not sent */
export const withHook = (db: Db, hook: Hook): Db =>
  intercept(db, (key, method) => {
    if (key !== 'collection') return method;
    return (...given) => hooked(method(...given) as object, String(given[0]), hook);
  });

const hooked = (collection: object, name: string, hook: Hook): object =>
  intercept(collection, (key, method) => {
    if (!HOOKED.includes(key)) return method;
    return async (...given) => {
      await hook({ collection: name, method: String(key), given });
      return method(...given);
    };
  });

function intercept<T extends object>(target: T, change: (key: string | symbol, method: Method) => Method): T {
  return new Proxy(target, {
    get(own, key) {
      const value: unknown = Reflect.get(own, key, own);
      return typeof value === 'function' ? change(key, value.bind(own) as Method) : value;
    },
  });
}

/** A hook for the first call that is meant: the process stands still while others do something. */
export function standingStill(
  isMeant: (call: DatabaseCall) => boolean,
  others: (call: DatabaseCall) => Promise<void>,
): Hook {
  let isDone = false;
  return async (call) => {
    if (isDone || !isMeant(call)) return;
    isDone = true;
    await others(call);
  };
}
