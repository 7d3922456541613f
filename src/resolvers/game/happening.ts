/** Happenings, as a character has them. */
import type { HappeningResolvers } from '../../generated/resolvers.js';

export const Happening: HappeningResolvers = {
  who: ({ who, players }) => who && { ...who, is_online: players.find(({ id }) => id === who.id)?.is_online ?? false },
};
