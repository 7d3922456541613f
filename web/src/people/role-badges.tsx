import type { Role } from '../../generated/graphql.js';
import { roles as allRoles, roleWords } from '../shell/role-words.js';

/** A user's roles as badges. */
export function RoleBadges({ roles }: { roles: readonly Role[] }) {
  if (roles.length === 0) return <span className="badges note">no role</span>;
  return (
    <span className="badges">
      {allRoles
        .filter((role) => roles.includes(role))
        .map((role) => (
          <span key={role} className="badge" data-tone={role === 'ADMIN' ? 'accent' : undefined}>
            {roleWords[role].name}
          </span>
        ))}
    </span>
  );
}
