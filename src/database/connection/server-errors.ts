/**
 * The server's errors by name, as its `error_codes.yml` has them. Those that only mean that the database is unreachable are in
 * `interruption.ts` and `unavailable.ts`.
 */
import { MongoServerError } from 'mongodb';

export const serverCodes = {
  unauthorized: 13,
  namespaceNotFound: 26,
  indexNotFound: 27,
  namespaceExists: 48,
  maxTimeExpired: 50,
  invalidOptions: 72,
  invalidNamespace: 73,
  indexOptionsConflict: 85,
  indexKeySpecsConflict: 86,
  documentRejected: 121, // DocumentValidationFailure: by a validator that the database's owner has added
  notSupportedOnView: 166,
  conversionFailed: 241,
  collectionReplaced: 361, // CollectionUUIDMismatch: the collection was dropped, or another has its name
  atlasError: 8000,
  duplicateKey: 11000,
  interrupted: 11601, // killed
} as const;

export type ServerCode = keyof typeof serverCodes;

/** Whether the server rejected a command with one of these errors. */
export function isServerError(error: unknown, ...names: readonly ServerCode[]): error is MongoServerError {
  return error instanceof MongoServerError && names.some((name) => error.code === serverCodes[name]);
}

/** Another document has the same `_id`, or the same value under a unique index. */
export const isDuplicateKey = (error: unknown): boolean => isServerError(error, 'duplicateKey');

/** The server gave up after `maxTimeMS`. */
export const isMaxTimeExpired = (error: unknown): boolean => isServerError(error, 'maxTimeExpired');
