/** The four durabilities of a write, as MongoDB's write concerns. */
import { WriteConcern } from 'mongodb';

export type Durability = 'FIRE_AND_FORGET' | 'ACKNOWLEDGED' | 'JOURNALED' | 'MAJORITY';

const WTIMEOUT_MS = 30_000; // a majority that does not answer for this long is an error, not a wait without end

/** For single writes and bulk writes. Fire-and-forget is w:0: the driver does not wait for an answer. */
export const writeConcernOf: Readonly<Record<Durability, WriteConcern>> = {
  FIRE_AND_FORGET: new WriteConcern(0),
  ACKNOWLEDGED: new WriteConcern(1),
  JOURNALED: new WriteConcern(1, undefined, true),
  MAJORITY: new WriteConcern('majority', WTIMEOUT_MS),
};

const SEND_TIMEOUT_MS = 10_000;

/**
 * Where no answer is awaited the driver still waits for room in the socket, without end if the connection is given up meanwhile or the
 * database has stopped reading. Sending has a bound by this; it is not known then what the database has received.
 * @returns undefined where an answer is awaited: the driver gives up a member that is silent
 */
export const sendBoundOf = ({ w }: WriteConcern): AbortSignal | undefined =>
  w === 0 ? AbortSignal.timeout(SEND_TIMEOUT_MS) : undefined;

/** For the commit of a transaction, which the server refuses with w:0. Fire-and-forget commits at w:1, its caller waits for neither. */
export const commitConcernOf: Readonly<Record<Durability, WriteConcern>> = {
  ...writeConcernOf,
  FIRE_AND_FORGET: new WriteConcern(1),
};
