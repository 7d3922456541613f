/** The rooms of the world, for those who build it. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { graphql } from '../../../../generated/gql.js';
import type { LocationInput, WorldQuery, WorldRoomFragment } from '../../../../generated/graphql.js';
import { explainError, mutate, uncachedClient } from '../../../api/client.js';
import { useIsAway } from '../../../api/connection.js';
import { usePolling } from '../../../api/polling.js';
import { asSentence } from '../../parts/sentence.js';

export type WorldRoom = WorldRoomFragment;
export type WorldExit = WorldRoom['exits'][number];

graphql(`
  fragment WorldRoom on Location {
    __typename
    id key name description isStart
    exits { direction aliases description needsKey toId toKey }
  }
`);

const WorldDocument = graphql(`
  query World($first: Int!, $after: String) {
    locations(first: $first, after: $after) {
      edges { node { ...WorldRoom } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const WorldRoomDocument = graphql(`
  query WorldRoomNow($id: ID!) {
    node(id: $id) { __typename id ...WorldRoom }
  }
`);

const SaveLocationsDocument = graphql(`
  mutation SaveLocations($locations: [LocationInput!]!) {
    saveLocations(locations: $locations) { saved rejected { index code message } }
  }
`);

const FIRST = 500;
const POLL_MS = 20_000;
/** Of a larger world, only what one does oneself shows at once. */
const POLLED_MAX = 1_000;

export interface World {
  /** Null until they were read. */
  readonly rooms: readonly WorldRoom[] | null;
  /** Null while the live connection is down: the page shows that once, for all that is on it. */
  readonly failure: string | null;
  readonly again: () => void;
}

/** All rooms, the start first: it is where the map begins. */
export function useWorld(): World {
  const [world, setWorld] = useState<Omit<World, 'again'>>({ rooms: null, failure: null });
  const isAway = useRef(false);
  isAway.current = useIsAway();
  const again = useCallback(() => {
    void readRooms().then((read) =>
      setWorld((before) =>
        typeof read === 'string'
          ? { ...before, failure: isAway.current ? null : read }
          : { rooms: keepSame(before.rooms, read), failure: null },
      ),
    );
  }, []);
  useEffect(again, [again]);
  usePolling(again, (world.rooms?.length ?? 0) > POLLED_MAX ? null : POLL_MS);
  return { ...world, again };
}

/** The same list if nothing has changed, so that the map is not laid out again. */
const keepSame = (before: readonly WorldRoom[] | null, read: readonly WorldRoom[]): readonly WorldRoom[] =>
  before && JSON.stringify(before) === JSON.stringify(read) ? before : read;

/** @returns why it failed, if it did */
async function readRooms(): Promise<readonly WorldRoom[] | string> {
  const rooms: WorldRoom[] = [];
  let after: string | null = null;
  do {
    const page = await readPage(after);
    if (typeof page === 'string') return page;
    rooms.push(...page.edges.map(({ node }) => node));
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
  } while (after !== null);
  return rooms.toSorted((a, b) => Number(b.isStart) - Number(a.isStart));
}

async function readPage(after: string | null): Promise<WorldQuery['locations'] | string> {
  const { data, error } = await uncachedClient.query(WorldDocument, { first: FIRST, after }).toPromise();
  return data?.locations ?? (error ? explainError(error) : 'The server did not respond.');
}

const OVERTAKEN = 'Somebody else has saved the room at the same time. Save again.';

/** Saves a room as a whole. @returns why it was refused, or null */
export async function saveRoom(room: LocationInput): Promise<string | null> {
  const answer = await mutate(SaveLocationsDocument, { locations: [room] });
  if (typeof answer === 'string') return answer;
  const [rejected] = answer.saveLocations.rejected;
  if (!rejected) return null;
  return rejected.code === 'CONFLICT' ? OVERTAKEN : asSentence(rejected.message);
}

/** Of a room that was read: with it, the room is saved only if nobody else has saved it since. */
export const beforeOf = ({ name, description, exits = [] }: LocationInput) => ({ name, description, exits });

export const asInput = ({ key, name, description, isStart, exits }: WorldRoom): LocationInput => ({
  key,
  name,
  description,
  isStart,
  exits: exits.map(asExitInput),
});

const asExitInput = ({ direction, aliases, description, needsKey, toKey }: WorldExit) => ({
  direction,
  aliases,
  description,
  needs: needsKey ?? null,
  to: toKey ?? '',
});

export type ExitInput = ReturnType<typeof asExitInput>;

/** A room as it is now: another editor may have changed it. @returns why it cannot be read, if it cannot */
export async function readRoom(roomId: string): Promise<LocationInput | string> {
  const { data, error } = await uncachedClient.query(WorldRoomDocument, { id: roomId }).toPromise();
  if (error) return explainError(error);
  return data?.node?.__typename === 'Location' ? asInput(data.node) : 'The room is gone.';
}

const ATTEMPTS_MAX = 5; // of editors who draw from the same room at once, one is faster each time

/** Adds an exit to a room as it is now. @returns why it was refused, or null */
export async function addExit(roomId: string, exit: ExitInput): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    const input = await readRoom(roomId);
    if (typeof input === 'string') return input;
    const before = beforeOf(input);
    // Without `isStart`: the start stays what it is, also if somebody moves it right now.
    const refused = await saveRoom({ ...input, isStart: false, exits: [...before.exits, exit], before });
    if (refused !== OVERTAKEN || attempt === ATTEMPTS_MAX) return refused;
  }
}

/** A key for a new object: its name in letters, digits and hyphens, with a number if that is taken. */
export function keyFor(name: string, taken: readonly string[]): string {
  const bare = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50);
  const base = bare === '' ? 'room' : bare;
  if (!taken.includes(base)) return base;
  let number = 2;
  while (taken.includes(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
