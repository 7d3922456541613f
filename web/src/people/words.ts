/** Roles and scopes in words. */
import type { Role, Scope } from '../../generated/graphql.js';

export interface Word {
  readonly name: string;
  readonly meaning: string;
}

export const roleWords: Readonly<Record<Role, Word>> = {
  ADMIN: { name: 'Administrator', meaning: 'Everything, people and API keys as well' },
  EDITOR: {
    name: 'Editor',
    meaning: 'Reads the figures of all sites, imports logs, and keeps the catalog of the shop',
  },
  ADVERTISER: { name: 'Advertiser', meaning: 'Places advertisements' },
  MEMBER: { name: 'Member', meaning: 'Takes part: what people who sign up get' },
};

/** The names are those of the settings and the documentation. */
export const scopeWords: Readonly<Record<Scope, Word>> = {
  HITS_READ: { name: 'hits:read', meaning: 'Read charts and rankings of all sites, also live' },
  HITS_WRITE: { name: 'hits:write', meaning: 'Record hits' },
  LOGS_READ: { name: 'logs:read', meaning: 'Read the request log and its imports' },
  LOGS_WRITE: { name: 'logs:write', meaning: 'Record requests and import logs' },
  SESSIONS_READ: { name: 'sessions:read', meaning: 'Read the roll-ups of sessions' },
  SESSIONS_WRITE: { name: 'sessions:write', meaning: 'Record sessions' },
};

export const roles = Object.keys(roleWords) as readonly Role[];
export const scopes = Object.keys(scopeWords) as readonly Scope[];
