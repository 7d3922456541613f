/** API keys. */
import type { ApiKeyResolvers, MutationResolvers, QueryResolvers } from '../../generated/resolvers.js';
import { createApiKey, findApiKeys, revokeApiKey } from '../../models/people/api-key.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { isValueOf } from '../support/enum-value.js';
import { actOfViewer } from './act.js';

export const ApiKey: ApiKeyResolvers = {
  id: ({ _id }) => toGlobalId('ApiKey', _id),
  createdAt: ({ created_at }) => created_at,
  lastUsedAt: ({ last_used_at }) => last_used_at ?? null,
  revokedAt: ({ revoked_at }) => revoked_at ?? null,
  scopes: ({ scopes }, _args, _context, info) => scopes.filter((scope) => isValueOf(info, 'Scope', scope)),
};

export const Query: Pick<QueryResolvers, 'apiKeys'> = {
  apiKeys: (_root, _args, { db }) => findApiKeys(db),
};

export const Mutation: Pick<MutationResolvers, 'createApiKey' | 'revokeApiKey'> = {
  createApiKey: async (_root, { input }, context) => createApiKey(context.db, await actOfViewer(context), input),
  revokeApiKey: async (_root, { id }, context) => {
    const revoked = await revokeApiKey(context.db, await actOfViewer(context), idOfType('ApiKey', id) ?? '');
    if (revoked) return revoked;
    throw new SextantError('NOT_FOUND', 'There is no such key');
  },
};
