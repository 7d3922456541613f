/** Names and descriptions of roles and scopes. */
import type { Role, Scope } from '../../generated/graphql.js';

export interface Word {
  readonly name: string;
  readonly meaning: string;
}

export const roleWords: Readonly<Record<Role, Word>> = {
  ADMIN: { name: 'Administrator', meaning: 'Full access, including people and API keys' },
  EDITOR: {
    name: 'Editor',
    meaning: 'Views the analytics of all sites, imports logs, and manages the shop’s catalog',
  },
  ADVERTISER: { name: 'Advertiser', meaning: 'Places advertisements' },
  MEMBER: { name: 'Member', meaning: 'The default role of people who sign up' },
};

/** The names are those of the settings and the documentation. */
export const scopeWords: Readonly<Record<Scope, Word>> = {
  HITS_READ: { name: 'hits:read', meaning: 'Read charts and rankings of all sites, also live' },
  HITS_WRITE: { name: 'hits:write', meaning: 'Record hits' },
  LOGS_READ: { name: 'logs:read', meaning: 'Read the request log and its imports' },
  LOGS_WRITE: { name: 'logs:write', meaning: 'Record requests and import logs' },
  SESSIONS_READ: { name: 'sessions:read', meaning: 'Read session roll-ups' },
  SESSIONS_WRITE: { name: 'sessions:write', meaning: 'Record sessions' },
};

export const roles = Object.keys(roleWords) as readonly Role[];
export const scopes = Object.keys(scopeWords) as readonly Scope[];
