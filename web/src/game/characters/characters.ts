/** The viewer's characters. */
import { graphql } from '../../../generated/gql.js';
import type { CharacterClass, CharactersQuery } from '../../../generated/graphql.js';
import { mutateOnce } from '../../api/client.js';
import { useData } from '../../api/use-data.js';
import { isAbout } from '../../kit/base/errors.js';
import { asSentence } from '../parts/sentence.js';
import { keptOf } from '../screen/kept-here.js';

export type OwnCharacter = CharactersQuery['characters'][number];

const CharactersDocument = graphql(`
  query Characters {
    characters { __typename id name class health mana gold location { id name } }
  }
`);

const CreateCharacterDocument = graphql(`
  mutation CreateCharacter($input: CharacterInput!, $key: String!) {
    createCharacter(input: $input, idempotencyKey: $key) {
      __typename
      ... on Character { id }
      ... on Refusal { message }
    }
  }
`);

const DeleteCharacterDocument = graphql(`
  mutation DeleteCharacter($id: ID!, $key: String!) {
    deleteCharacter(id: $id, idempotencyKey: $key) { __typename ... on DeletedCharacter { id } ... on Refusal { message } }
  }
`);

/** The API's limit. */
export const CHARACTERS_MAX = 5;

const nothing = {};
const ofCharacters = { additionalTypenames: ['Character'] };

export function useCharacters() {
  const { data, error, again } = useData(CharactersDocument, nothing, ofCharacters);
  return { characters: data?.characters ?? null, error, again };
}

/** The new character, or why there is none: because of its name, or for another reason. */
type Created = { readonly id: string } | { readonly wrongName: string } | { readonly refusal: string };

export async function createCharacter(name: string, is: CharacterClass): Promise<Created> {
  const answer = await mutateOnce(CreateCharacterDocument, { input: { name, class: is } }, ofCharacters);
  if (typeof answer === 'string')
    return isAbout('name', answer) ? { wrongName: asSentence(answer) } : { refusal: answer };
  const { createCharacter: outcome } = answer;
  if (outcome.__typename === 'Character') return outcome;
  const why = asSentence(outcome.message);
  return outcome.__typename === 'CharacterNameTaken' ? { wrongName: why } : { refusal: why };
}

/** @returns why it was refused, or null */
export async function deleteCharacter(id: string): Promise<string | null> {
  const answer = await mutateOnce(DeleteCharacterDocument, { id }, ofCharacters);
  if (typeof answer === 'string') return answer;
  const { deleteCharacter: outcome } = answer;
  if (outcome.__typename !== 'DeletedCharacter') return asSentence(outcome.message);
  keptOf(id).clear();
  return null;
}

export const playAddress = (id: string): string => `/game?character=${encodeURIComponent(id)}`;
export const characterAddress = (id: string): string => `/game/characters/${encodeURIComponent(id)}`;
