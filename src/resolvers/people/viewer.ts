/** The caller as a user. */
import { findUser, type UserDocument } from '../../models/people/user.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';

/** For a user of an external issuer, the token's claims are presented as an account. */
export async function findViewer({ db, viewer }: Context): Promise<UserDocument | null> {
  if (viewer.id === null) return null;
  if (viewer.profile === null) return findUser(db, viewer.id);
  const { email, name, since } = viewer.profile;
  return { _id: viewer.id, email, name, roles: [...viewer.roles], created_at: since, password_hash: '' };
}

/** The account of the signed-in user. @throws SextantError FORBIDDEN it is managed by an external issuer */
export async function requireAccount({ db, viewer }: Context): Promise<UserDocument> {
  const user = await findUser(db, requirePerson(viewer));
  if (!user) throw new SextantError('FORBIDDEN', 'Your account is managed by an external issuer');
  return user;
}
