/** Happenings, as a character has them. */
import type { HappeningResolvers } from '../../generated/resolvers.js';

export const Happening: HappeningResolvers = {
  who: ({ who, online }) => who && { ...who, is_online: online.has(who.id) },
};
