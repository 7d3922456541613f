/** What the resolvers of the network share about people. */

import { seenKey } from '../../models/social/loaders.js';
import { findPerson } from '../../models/social/network/person.js';
import type { Profile } from '../../models/social/network/profile.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
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

/** The viewer, who has joined the network. @throws SextantError NOT_FOUND */
export async function requireJoined({ db, viewer }: Context): Promise<string> {
  const id = requirePerson(viewer);
  if (await findPerson(db, id)) return id;
  throw new SextantError('NOT_FOUND', 'You have not joined the network yet: save your profile first');
}
