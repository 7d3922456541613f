/** Happenings, as a character has them. */
import type { HappeningResolvers } from '../../generated/resolvers.js';
import type { Player } from '../../models/game/world/player.js';

/** Who is online, of the players of a room: a screen asks for each of 100 happenings. */
const online = new WeakMap<readonly Player[], ReadonlySet<string>>();

function onlineOf(players: readonly Player[]): ReadonlySet<string> {
  const known = online.get(players);
  if (known) return known;
  const found = new Set(players.filter(({ is_online }) => is_online).map(({ id }) => id));
  online.set(players, found);
  return found;
}

export const Happening: HappeningResolvers = {
  who: ({ who, players }) => who && { ...who, is_online: onlineOf(players).has(who.id) },
};
