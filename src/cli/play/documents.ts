/** What the game in a terminal asks the server. */

export interface SeenItem {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly kind: string;
  readonly insideId: string | null;
  readonly slot: string | null;
  readonly price: number | null;
}

export interface SeenPlayer {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

export interface Happening {
  readonly number: number;
  readonly kind: string;
  readonly text: string;
  readonly who: { readonly id: string } | null;
}

/** A character with everything that the screen shows. */
export interface Screen {
  readonly id: string;
  readonly name: string;
  readonly gold: number;
  readonly location: {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly exits: readonly {
      readonly direction: string;
      readonly aliases: readonly string[];
      readonly needs: string | null;
    }[];
    readonly players: readonly SeenPlayer[];
    readonly items: readonly SeenItem[];
  };
  readonly inventory: readonly SeenItem[];
  readonly happenings: readonly Happening[];
}

export interface CommandWord {
  readonly part: string;
  readonly after: readonly string[];
  readonly isOptional: boolean;
}

export interface KnownCommand {
  readonly verb: string;
  readonly aliases: readonly string[];
  readonly parts: readonly CommandWord[];
  readonly description: string;
  readonly example: string;
}

export interface Refused {
  readonly __typename: string;
  readonly message: string;
  readonly suggestions?: readonly string[];
}

const ITEM = 'id name label kind insideId slot price';
const SCREEN = `id name gold
  location { id name description exits { direction aliases needs } players { id name role } items { ${ITEM} } }
  inventory { ${ITEM} }
  happenings { number kind text who { id } }`;

export const CHARACTERS = `query { characters { ${SCREEN} } commands { verb aliases description example parts { part after isOptional } } }`;
export const CREATE = `mutation ($input: CharacterInput!, $key: String!) { answer: createCharacter(input: $input, idempotencyKey: $key) {
  __typename ... on Character { ${SCREEN} } ... on Refusal { message }
} }`;
export const SEND = `mutation ($id: ID!, $text: String!, $key: String!) { answer: sendCommand(characterId: $id, text: $text, idempotencyKey: $key) {
  __typename ... on Character { ${SCREEN} } ... on Refusal { message } ... on NotUnderstood { suggestions }
} }`;
export const FOLLOW = `subscription ($id: ID!, $after: String) { roomChanged(characterId: $id, after: $after) {
  cursor character { ${SCREEN} }
} }`;
export const GOODS = `query ($id: ID!, $shop: ID!) { goods(characterId: $id, shopkeeperId: $shop) { ${ITEM} } }`;
