/** Names and descriptions of roles. */
import type { Role } from '../../generated/graphql.js';

export interface Word {
  readonly name: string;
  readonly meaning: string;
}

export const roleWords: Readonly<Record<Role, Word>> = {
  ADMIN: { name: 'Administrator', meaning: 'Full access, including people and API keys' },
  EDITOR: {
    name: 'Editor',
    meaning: 'Views the analytics of all sites, imports logs, manages catalog and stock, and writes all content',
  },
  AUTHOR: { name: 'Author', meaning: 'Writes posts and photos, and changes their own' },
  ADVERTISER: { name: 'Advertiser', meaning: 'Places advertisements' },
  MEMBER: { name: 'Member', meaning: 'The default role of people who sign up' },
};

export const roles = Object.keys(roleWords) as readonly Role[];
