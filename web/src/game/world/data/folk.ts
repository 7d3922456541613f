/** Everybody in the world, for those who build and keep it. */
import { graphql } from '../../../../generated/gql.js';
import type { AllCharactersQuery, FolkInput } from '../../../../generated/graphql.js';
import { mutate } from '../../../api/client.js';
import { asSentence } from '../../parts/sentence.js';

export type Inhabitant = AllCharactersQuery['allCharacters']['edges'][number]['node'];

export const AllCharactersDocument = graphql(`
  query AllCharacters($first: Int!, $after: String) {
    allCharacters(first: $first, after: $after) {
      edges {
        cursor
        node { __typename id name class role gold mutedUntil owner { id name } location { id key name } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const SaveFolkDocument = graphql(`
  mutation SaveFolk($folk: [FolkInput!]!) {
    saveFolk(folk: $folk) { saved rejected { index code message } }
  }
`);

const MuteCharacterDocument = graphql(`
  mutation MuteCharacter($characterId: ID!, $until: DateTime) {
    muteCharacter(characterId: $characterId, until: $until) { __typename id mutedUntil }
  }
`);

const RelocateCharacterDocument = graphql(`
  mutation RelocateCharacter($characterId: ID!, $locationId: ID!) {
    relocateCharacter(characterId: $characterId, locationId: $locationId) { __typename id location { id name } }
  }
`);

const ofFolk = { additionalTypenames: ['CharacterConnection', 'Character'] };

/** @returns why it was refused, or null */
export async function saveFolk(folk: FolkInput): Promise<string | null> {
  const answer = await mutate(SaveFolkDocument, { folk: [folk] }, ofFolk);
  if (typeof answer === 'string') return answer;
  const [rejected] = answer.saveFolk.rejected;
  return rejected ? asSentence(rejected.message) : null;
}

/** @param until null: may speak again @returns why it failed, or null */
export async function mute(characterId: string, until: Date | null): Promise<string | null> {
  const answer = await mutate(MuteCharacterDocument, { characterId, until: until?.toISOString() ?? null }, ofFolk);
  return typeof answer === 'string' ? answer : null;
}

/** @returns why it failed, or null */
export async function relocate(characterId: string, locationId: string): Promise<string | null> {
  const answer = await mutate(RelocateCharacterDocument, { characterId, locationId }, ofFolk);
  return typeof answer === 'string' ? answer : null;
}
