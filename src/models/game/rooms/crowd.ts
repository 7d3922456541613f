/** How many are in which location, followed live: the world at a glance, for those who keep it. */
import {
  type ChangeEvent,
  changedDocument,
  changedFields,
  defineFeed,
  type StateFeed,
} from '../../../database/index.js';
import { type LocationDocument, locations } from '../world/location.js';

export interface Crowd {
  readonly id: string;
  readonly name: string;
  readonly online: number;
  readonly players: number;
}

type Held = Pick<LocationDocument, '_id' | 'name' | 'players'>;

interface CrowdState {
  /** Those with somebody in them, and those that somebody has left since the state was read. */
  readonly held: Map<string, Held>;
  /** Somebody has come to a location whose name is not known. */
  isUncertain: boolean;
}

const SHOWN_MAX = 500;
/** Some 100,000 characters in the most crowded world that is shown in full. */
const READ_MAX = 5000;
const HELD_BYTES = 200;
const PLAYER_BYTES = 150;

const crowdOf = ({ _id, name, players }: Held): Crowd => ({
  id: _id,
  name,
  online: players.filter(({ is_online }) => is_online).length,
  players: players.length,
});

const byNumber = (one: Crowd, other: Crowd): number =>
  other.players - one.players || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

function apply(state: CrowdState, event: ChangeEvent): readonly string[] {
  const id = String(event.documentKey._id);
  const before = state.held.get(id);
  if (!before && event.operation === 'update') {
    if (touchesPlayers(event)) state.isUncertain = true;
    return [];
  }
  const after = changedDocument(before ?? ({ _id: id, name: '', players: [] } as Held), event);
  state.held.set(id, after);
  if (!before) return after.players.length > 0 ? [id] : [];
  return areEqual(crowdOf(before), crowdOf(after)) ? [] : [id];
}

const touchesPlayers = (event: ChangeEvent): boolean => changedFields(event).includes('players');

const areEqual = (one: Crowd, other: Crowd): boolean =>
  one.name === other.name && one.online === other.online && one.players === other.players;

export const crowdFeed: StateFeed<object, CrowdState, readonly Crowd[], readonly Crowd[]> = defineFeed({
  kind: 'state',
  name: 'game crowds',
  collections: [{ collectionName: locations.collectionName, fields: ['name', 'players'] }],

  key: () => '',
  topic: () => 'game crowds',
  topics: () => ['game crowds'],

  snapshot: async (db, _args: object, session) => {
    const found = await locations(db)
      .find({ 'players.id': { $gt: '' } }, { session, projection: { name: 1, players: 1 } })
      .limit(READ_MAX)
      .toArray();
    return { held: new Map(found.map((each) => [each._id, each])), isUncertain: false };
  },
  touched: ({ documentKey }: ChangeEvent) => [String(documentKey._id)],
  apply,
  view: ({ held }: CrowdState) =>
    [...held.values()]
      .filter(({ players }) => players.length > 0)
      .map(crowdOf)
      .sort(byNumber)
      .slice(0, SHOWN_MAX),
  change: ({ held }: CrowdState, keys: ReadonlySet<string>) =>
    [...keys]
      .flatMap((id) => {
        const found = held.get(id);
        return found ? [crowdOf(found)] : [];
      })
      .sort(byNumber),
  reread: {
    isUncertain: ({ isUncertain }: CrowdState) => isUncertain,
    compare: (before: CrowdState, after: CrowdState) => {
      for (const [id, held] of before.held) if (!after.held.has(id)) after.held.set(id, { ...held, players: [] });
      return [...after.held.values()].flatMap((now) => {
        const then = before.held.get(now._id) ?? { ...now, players: [] };
        return areEqual(crowdOf(then), crowdOf(now)) ? [] : [now._id];
      });
    },
  },
  bytes: ({ held }: CrowdState) => {
    let players = 0;
    for (const each of held.values()) players += each.players.length;
    return HELD_BYTES * held.size + PLAYER_BYTES * players;
  },
});
