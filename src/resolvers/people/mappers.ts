/** What the resolvers of each type get as their parent. `npm run generate` maps the type `User` to `UserMapper`. */
import type { DeletedUser } from '../../models/people/account-deletion.js';
import type { ApiKeyDocument } from '../../models/people/api-key.js';
import type { AuditDocument } from '../../models/people/audit.js';
import type { AuthorReference } from '../../models/people/author.js';
import type { InvitationDocument } from '../../models/people/invitation.js';
import type { UserDocument } from '../../models/people/user.js';

export type UserMapper = UserDocument;
export type UserDeletedMapper = DeletedUser;
export type InvitationMapper = InvitationDocument;
export type ApiKeyMapper = ApiKeyDocument;
export type AuditEntryMapper = AuditDocument;
export type AuthorMapper = AuthorReference;
