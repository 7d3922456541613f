/** Handling items: taking, dropping, containers, giving, wearing and wielding, and looking. */
import type { HandleItemResultResolvers, LookResultResolvers, MutationResolvers } from '../../generated/resolvers.js';
import { equipItem, unequipItem } from '../../models/game/acts/equipment.js';
import { dropItem, giveItem, pickUpItem } from '../../models/game/acts/handling.js';
import { look, type Sight } from '../../models/game/acts/looking.js';
import { putItemInto, takeItemOut } from '../../models/game/acts/packing.js';
import { fromGlobalId } from '../../shared/global-id.js';
import { resultType } from '../support/result-type.js';
import { runAct, storedId } from './act.js';

export const HandleItemResult: HandleItemResultResolvers = { __resolveType: resultType('Character') };
export const LookResult: LookResultResolvers = { __resolveType: resultType('Character') };

type Handling =
  | 'pickUpItem'
  | 'dropItem'
  | 'putItemInto'
  | 'takeItemOut'
  | 'giveItem'
  | 'equipItem'
  | 'unequipItem'
  | 'look';

/** An id of another kind is of something that is not there. */
function sightOf(atId: string | null | undefined): Sight {
  if (atId === null || atId === undefined) return null;
  const { type, id } = fromGlobalId(atId) ?? { type: 'Item', id: '' };
  return type === 'Character' ? { kind: 'Character', id } : { kind: 'Item', id: type === 'Item' ? id : '' };
}

export const Mutation: Pick<MutationResolvers, Handling> = {
  pickUpItem: (_root, args, context, info) =>
    runAct(context, info, args, (asked) => pickUpItem(context.db, asked, storedId('Item', args.itemId))),
  dropItem: (_root, args, context, info) =>
    runAct(context, info, args, (asked) => dropItem(context.db, asked, storedId('Item', args.itemId))),
  putItemInto: (_root, args, context, info) =>
    runAct(context, info, args, (asked) =>
      putItemInto(context.db, asked, storedId('Item', args.itemId), storedId('Item', args.containerId)),
    ),
  takeItemOut: (_root, args, context, info) =>
    runAct(context, info, args, (asked) => takeItemOut(context.db, asked, storedId('Item', args.itemId))),
  giveItem: (_root, args, context, info) =>
    runAct(context, info, args, (asked) =>
      giveItem(context.db, asked, storedId('Item', args.itemId), storedId('Character', args.toId)),
    ),
  equipItem: (_root, args, context, info) =>
    runAct(context, info, args, (asked) => equipItem(context.db, asked, storedId('Item', args.itemId), args.slot)),
  unequipItem: (_root, args, context, info) =>
    runAct(context, info, args, (asked) => unequipItem(context.db, asked, storedId('Item', args.itemId))),
  look: (_root, args, context, info) =>
    runAct(context, info, args, (asked) => look(context.db, asked, sightOf(args.atId))),
};
