/** The screen of a character, what it follows, and what it does. */
import { graphql } from '../../../generated/gql.js';

graphql(`
  fragment GameItem on Item {
    id name label description kind bonus quantity weight price isFixed slots slot insideId
  }
`);

graphql(`
  fragment GameScreen on Character {
    id name class role
    intrinsics { strength dexterity intelligence charisma }
    health mana gold weight weightMax mutedUntil
    location {
      id name description
      exits { direction aliases description needs }
      players { id name class role isOnline }
      items { ...GameItem }
    }
    inventory { ...GameItem }
    happenings { number at kind text who { id name } }
  }
`);

/** What an act answers: the rest comes with `roomChanged`. */
graphql(`
  fragment Acted on Character {
    location { id }
    happenings { number }
  }
`);

export const RoomChangedDocument = graphql(`
  subscription RoomChanged($characterId: ID!, $after: String) {
    roomChanged(characterId: $characterId, after: $after) { cursor reset character { ...GameScreen } }
  }
`);

export const CommandsDocument = graphql(`
  query GameCommands {
    commands { verb aliases parts { part after isOptional } description example }
  }
`);

export const GoodsDocument = graphql(`
  query Goods($characterId: ID!, $shopkeeperId: ID!) {
    goods(characterId: $characterId, shopkeeperId: $shopkeeperId) { ...GameItem }
  }
`);

export const SendCommandDocument = graphql(`
  mutation SendCommand($characterId: ID!, $text: String!, $key: String) {
    outcome: sendCommand(characterId: $characterId, text: $text, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message } ... on NotUnderstood { suggestions }
    }
  }
`);

export const MoveDocument = graphql(`
  mutation MoveCharacter($characterId: ID!, $direction: String!, $key: String) {
    outcome: moveCharacter(characterId: $characterId, direction: $direction, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const PickUpDocument = graphql(`
  mutation PickUpItem($characterId: ID!, $itemId: ID!, $key: String) {
    outcome: pickUpItem(characterId: $characterId, itemId: $itemId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const DropDocument = graphql(`
  mutation DropItem($characterId: ID!, $itemId: ID!, $key: String) {
    outcome: dropItem(characterId: $characterId, itemId: $itemId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const PutIntoDocument = graphql(`
  mutation PutItemInto($characterId: ID!, $itemId: ID!, $containerId: ID!, $key: String) {
    outcome: putItemInto(characterId: $characterId, itemId: $itemId, containerId: $containerId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const TakeOutDocument = graphql(`
  mutation TakeItemOut($characterId: ID!, $itemId: ID!, $key: String) {
    outcome: takeItemOut(characterId: $characterId, itemId: $itemId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const GiveDocument = graphql(`
  mutation GiveItem($characterId: ID!, $itemId: ID!, $toId: ID!, $key: String) {
    outcome: giveItem(characterId: $characterId, itemId: $itemId, toId: $toId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const EquipDocument = graphql(`
  mutation EquipItem($characterId: ID!, $itemId: ID!, $slot: Slot!, $key: String) {
    outcome: equipItem(characterId: $characterId, itemId: $itemId, slot: $slot, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const UnequipDocument = graphql(`
  mutation UnequipItem($characterId: ID!, $itemId: ID!, $key: String) {
    outcome: unequipItem(characterId: $characterId, itemId: $itemId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const LookDocument = graphql(`
  mutation Look($characterId: ID!, $atId: ID) {
    outcome: look(characterId: $characterId, atId: $atId) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const BuyDocument = graphql(`
  mutation BuyItem($characterId: ID!, $shopkeeperId: ID!, $itemId: ID!, $key: String) {
    outcome: buyItem(characterId: $characterId, shopkeeperId: $shopkeeperId, itemId: $itemId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const SellDocument = graphql(`
  mutation SellItem($characterId: ID!, $shopkeeperId: ID!, $itemId: ID!, $key: String) {
    outcome: sellItem(characterId: $characterId, shopkeeperId: $shopkeeperId, itemId: $itemId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);

export const SpeakDocument = graphql(`
  mutation Speak($characterId: ID!, $text: String!, $toId: ID, $key: String) {
    outcome: speak(characterId: $characterId, text: $text, toId: $toId, idempotencyKey: $key) {
      __typename ... on Character { ...Acted } ... on Refusal { message }
    }
  }
`);
