/** People in the audit trail. */
import type { Role } from '../../generated/graphql.js';
import { type DomainWords, nameOfScope } from '../shell/domain-words.js';
import { roleWords } from '../shell/role-words.js';

export const words: DomainWords = {
  acts: {
    ROLE_GRANTED: (detail) => ['Granted', `the ${roleName(detail)} role`],
    ROLE_REVOKED: (detail) => [`Revoked the ${roleName(detail)} role from`],
    USER_INVITED: (detail) => ['Invited', detail === 'no role' ? 'without a role' : `as ${namesOf(detail, roleName)}`],
    INVITATION_WITHDRAWN: () => ['Withdrew the invitation for'],
    USER_DELETED: () => ['Deleted the account of'],
    API_KEY_CREATED: (detail) => ['Created the API key', `for ${namesOf(detail, nameOfScope)}`],
    API_KEY_REVOKED: () => ['Revoked the API key'],
    PASSWORD_CHANGED: () => ['Changed the password of'],
    PASSWORD_RESET: () => ['Reset the password of'],
    OTHER: (detail) => ['An action of a domain that is off, on', detail && `(${detail})`],
  },
};

const roleName = (role: string): string => (role in roleWords ? roleWords[role as Role].name : role);
const namesOf = (list: string, nameOf: (name: string) => string): string => list.split(', ').map(nameOf).join(', ');
