/** What the resolvers of the network share about people. */

import { seenKey } from '../../models/social/loaders.js';
import type { Profile } from '../../models/social/network/profile.js';
import type { Context } from '../../server/context/context.js';
import { idOfType } from '../../shared/global-id.js';

/** The id of an account, or one that nobody has. */
export const personIdOf = (globalId: string): string => idOfType('User', globalId) ?? '';

/** A person as an author. */
export const asAuthor = async (id: string, { loaders }: Pick<Context, 'loaders'>) => ({
  _id: id,
  name: await loaders().socialName.load(id),
});

export const profileOf = (id: string, { loaders, viewer }: Context): Promise<Profile | null> =>
  loaders().profile.load(seenKey({ id, reader: viewer.id }));
