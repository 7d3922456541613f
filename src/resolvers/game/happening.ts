/** Happenings, as a character has them. */
import type { HappeningResolvers } from '../../generated/resolvers.js';

export const Happening: HappeningResolvers = {
  who: ({ who, isOnline }) => who && { ...who, is_online: () => isOnline(who.id) },
};
