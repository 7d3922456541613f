/** The four durability levels of a write, as MongoDB write concerns. */
import { WriteConcern } from 'mongodb';

export type Durability = 'FIRE_AND_FORGET' | 'ACKNOWLEDGED' | 'JOURNALED' | 'MAJORITY';

const WTIMEOUT_MS = 30_000; // a majority that does not respond for this long is an error, not an endless wait

/** For single writes and bulk writes. Fire-and-forget is w:0: the driver does not wait for an answer. */
export const writeConcernOf: Readonly<Record<Durability, WriteConcern>> = {
  FIRE_AND_FORGET: new WriteConcern(0),
  ACKNOWLEDGED: new WriteConcern(1),
  JOURNALED: new WriteConcern(1, undefined, true),
  MAJORITY: new WriteConcern('majority', WTIMEOUT_MS),
};

const SEND_TIMEOUT_MS = 10_000;

/**
 * With w:0 the driver still waits for room in the socket: forever, if the connection is dropped meanwhile or the database has
 * stopped reading. This bounds the wait. When it aborts, it is unknown what the database has received.
 * @returns undefined where a reply is awaited: there the driver gives up on a silent member
 */
export const sendBoundOf = ({ w }: WriteConcern): AbortSignal | undefined =>
  w === 0 ? AbortSignal.timeout(SEND_TIMEOUT_MS) : undefined;

/** For commits, which the server rejects with w:0. Fire-and-forget commits with w:1, and its caller does not wait. */
export const commitConcernOf: Readonly<Record<Durability, WriteConcern>> = {
  ...writeConcernOf,
  FIRE_AND_FORGET: new WriteConcern(1),
};
