/** Listing, creating and revoking API keys. */
import { graphql } from '../../generated/gql.js';
import type { ApiKeysQuery, Scope } from '../../generated/graphql.js';
import { mutate } from '../api/client.js';
import { useData } from '../api/use-data.js';

export type ApiKey = ApiKeysQuery['apiKeys'][number];

const ApiKeysDocument = graphql(`
  query ApiKeys {
    apiKeys { id name prefix scopes createdAt lastUsedAt revokedAt }
  }
`);

const CreateApiKeyDocument = graphql(`
  mutation CreateApiKey($input: ApiKeyInput!) {
    createApiKey(input: $input) {
      key
      apiKey { id name }
    }
  }
`);

const RevokeApiKeyDocument = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(id: $id) { id revokedAt }
  }
`);

const nothing = {};
/** An empty list contains no type by which the cache could tell that it has changed. */
const ofKeys = { additionalTypenames: ['ApiKey'] };
export const useApiKeys = () => useData(ApiKeysDocument, nothing, ofKeys);

export interface NewKey {
  readonly name: string;
  readonly key: string;
}

/** @returns the key, or why it was refused */
export async function createApiKey(name: string, scopes: readonly Scope[]): Promise<NewKey | string> {
  const answer = await mutate(CreateApiKeyDocument, { input: { name, scopes: [...scopes] } });
  if (typeof answer === 'string') return answer;
  const { key, apiKey } = answer.createApiKey;
  return { key, name: apiKey.name };
}

/** @returns what went wrong, or null */
export async function revokeApiKey(id: string): Promise<string | null> {
  const answer = await mutate(RevokeApiKeyDocument, { id });
  return typeof answer === 'string' ? answer : null;
}
