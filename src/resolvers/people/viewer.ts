/** Whoever asks, as a person. */
import { findUser, type UserDocument } from '../../models/people/user.js';
import type { Context } from '../../server/context.js';
import { requirePerson } from '../../server/viewer.js';
import { SextantError } from '../../shared/errors.js';

/** What a token says of somebody whose account is kept elsewhere reads like an account. */
export async function findViewer({ db, viewer }: Context): Promise<UserDocument | null> {
  if (viewer.id === null) return null;
  if (viewer.profile === null) return findUser(db, viewer.id);
  const { email, name, since } = viewer.profile;
  return { _id: viewer.id, email, name, roles: [...viewer.roles], created_at: since, password_hash: '' };
}

/** The account of whoever is signed in. @throws SextantError FORBIDDEN it is kept by an external issuer */
export async function requireAccount({ db, viewer }: Context): Promise<UserDocument> {
  const user = await findUser(db, requirePerson(viewer));
  if (!user) throw new SextantError('FORBIDDEN', 'Your account is kept elsewhere');
  return user;
}
