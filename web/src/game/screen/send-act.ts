/** Sends what a character does. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ActedFragment } from '../../../generated/graphql.js';
import { explainError, uncachedClient } from '../../api/client.js';
import { asSentence } from '../parts/sentence.js';
import type { Act, Outcome } from './act.js';
import {
  BuyDocument,
  DropDocument,
  EquipDocument,
  GiveDocument,
  LookDocument,
  MoveDocument,
  PickUpDocument,
  PutIntoDocument,
  SellDocument,
  SendCommandDocument,
  SpeakDocument,
  TakeOutDocument,
  UnequipDocument,
} from './documents.js';
import { lastNumber } from './log.js';

type Answer = { readonly __typename: string };
interface Data {
  readonly outcome: Answer;
}

const simple = {
  take: PickUpDocument,
  takeOut: TakeOutDocument,
  drop: DropDocument,
  unequip: UnequipDocument,
} as const;

/** @param characterId who acts @param key the same for each attempt */
export function sendAct(characterId: string, act: Act, key: string): Promise<Outcome> {
  const own = { characterId, key };
  switch (act.do) {
    case 'type':
      return send(SendCommandDocument, { ...own, text: act.text });
    case 'move':
      return send(MoveDocument, { ...own, direction: act.direction });
    case 'look': // changes nothing that a repetition could harm, so it has no key
      return send(LookDocument, { characterId, atId: act.atId });
    case 'take':
    case 'takeOut':
    case 'drop':
    case 'unequip':
      return send(simple[act.do], { ...own, itemId: act.itemId });
    case 'putInto':
      return send(PutIntoDocument, { ...own, itemId: act.itemId, containerId: act.containerId });
    case 'give':
      return send(GiveDocument, { ...own, itemId: act.itemId, toId: act.toId });
    case 'equip':
      return send(EquipDocument, { ...own, itemId: act.itemId, slot: act.slot });
    case 'buy':
      return send(BuyDocument, { ...own, itemId: act.itemId, shopkeeperId: act.shopkeeperId });
    case 'sell':
      return send(SellDocument, { ...own, itemId: act.itemId, shopkeeperId: act.shopkeeperId });
    case 'speak':
      return send(SpeakDocument, { ...own, text: act.text, toId: act.toId });
  }
}

/** The server has not done it, or cannot say whether it has. */
const passing = ['SERVER_BUSY', 'DATABASE_UNAVAILABLE', 'UNAUTHENTICATED'];

async function send<Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Outcome> {
  const { data, error } = await uncachedClient.mutation(document, variables).toPromise();
  const code = error?.graphQLErrors[0]?.extensions.code;
  if (error?.networkError || passing.includes(String(code))) return { is: 'open' };
  if (error) return { is: 'refused', message: asSentence(explainError(error)), suggestions: [] };
  if (!data) return { is: 'open' };
  return read(data.outcome);
}

function read(outcome: Answer): Outcome {
  if (outcome.__typename === 'Character') {
    const acted = outcome as Answer & ActedFragment;
    return { is: 'done', at: acted.location.id, number: lastNumber(acted) };
  }
  const { message, suggestions = [] } = outcome as Answer & { message: string; suggestions?: readonly string[] };
  return { is: 'refused', message: asSentence(message), suggestions };
}
