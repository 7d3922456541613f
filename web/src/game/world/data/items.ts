/** The items of the world, for those who build it. */
import { graphql } from '../../../../generated/gql.js';
import type { ItemInput, WorldItemFragment } from '../../../../generated/graphql.js';
import { mutate } from '../../../api/client.js';
import { asSentence } from '../../parts/sentence.js';

export type WorldItem = WorldItemFragment;

graphql(`
  fragment WorldItem on Item {
    __typename
    id key name label description kind bonus quantity weight price isFixed slots
    place {
      __typename
      ... on Location { id key name }
      ... on Character { id name }
      ... on Item { id key label }
    }
  }
`);

export const AllItemsDocument = graphql(`
  query AllItems($first: Int!, $after: String) {
    allItems(first: $first, after: $after) {
      edges { cursor node { ...WorldItem } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const SaveItemsDocument = graphql(`
  mutation SaveItems($items: [ItemInput!]!) {
    saveItems(items: $items) { saved rejected { index code message } }
  }
`);

const RelocateItemDocument = graphql(`
  mutation RelocateItem($itemId: ID!, $toId: ID!) {
    relocateItem(itemId: $itemId, toId: $toId) { __typename id }
  }
`);

/** By these the lists notice that they have changed. */
const ofItems = { additionalTypenames: ['ItemConnection', 'Item'] };

/** @returns why it was refused, or null */
export async function saveItem(item: ItemInput): Promise<string | null> {
  const answer = await mutate(SaveItemsDocument, { items: [item] }, ofItems);
  if (typeof answer === 'string') return answer;
  const [rejected] = answer.saveItems.rejected;
  return rejected ? asSentence(rejected.message) : null;
}

/** @returns why it was refused, or null */
export async function relocateItem(itemId: string, toId: string): Promise<string | null> {
  const answer = await mutate(RelocateItemDocument, { itemId, toId }, ofItems);
  return typeof answer === 'string' ? answer : null;
}

/** Where an item is, in words. */
export function placeOf({ place }: WorldItem): string {
  switch (place?.__typename) {
    case 'Location':
      return place.name;
    case 'Character':
      return `carried by ${place.name}`;
    case 'Item':
      return `in ${place.label}`;
    default:
      return 'on its way';
  }
}

/** The same as `saveItems` takes it. */
export function placeKeyOf({ place }: WorldItem): string {
  if (place?.__typename === 'Location' || place?.__typename === 'Item') return place.key;
  return place?.__typename === 'Character' ? place.name : '';
}
