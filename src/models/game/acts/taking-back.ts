/** Items go back to the source of their transit, because the destination does not take them (`transit.ts`). */
import type { Db, Document } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { changeOf } from '../world/change.js';
import { type ItemEntry, weightOf } from '../world/item-entry.js';
import { canStillHold, insideOf, whyCannotHold } from './container.js';
import { type FoundTransit, holders, inTurn, turnEnded } from './turn.js';

/**
 * Gives the items back to the source. They lie in their container again, or open if that cannot hold them any more: it may have left
 * meanwhile. A new item, which has no source, is removed.
 * @throws BusyError another process works on the transit
 */
export async function takeBack(db: Db, found: FoundTransit): Promise<void> {
  const isBack =
    found.source.kind === 'ITEM'
      ? await removeNew(db, found)
      : (await intoContainer(db, found)) || (await open(db, found));
  if (!isBack) throw turnEnded();
  failpoint('game.taken-back');
}

/** As in all steps here, the guard is `inTurn`: no other process can make the items arrive. */
const removeNew = async (db: Db, found: FoundTransit): Promise<boolean> =>
  (await holders(db, 'ITEM').deleteOne(inTurn(found))).deletedCount === 1;

const open = (db: Db, found: FoundTransit): Promise<boolean> => putBack(db, found, null, {});

/** @returns false if the item was in no container, or that cannot hold it */
async function intoContainer(db: Db, found: FoundTransit): Promise<boolean> {
  const { source, transit } = found;
  const container = transit.items[0]?.inside_id ?? null;
  if (container === null) return false;
  const holder = await holders(db, source.kind).findOne({ _id: source.id }, { projection: { inventory: 1 } });
  const inventory = holder?.inventory ?? [];
  if (whyCannotHold(inventory, container, transit.items)) return false;
  return putBack(db, found, container, { $and: canStillHold(inventory, container) });
}

/** @param guard what else must be true */
async function putBack(db: Db, found: FoundTransit, container: string | null, guard: Document): Promise<boolean> {
  const { source, transit } = found;
  const items: ItemEntry[] = insideOf(container, transit.items);
  const back = { inventory: { $each: items } };
  const pull = { $pull: { transits: { call: transit.call } } };
  const change =
    source.kind === 'CHARACTER'
      ? { $push: back, $inc: { weight: weightOf(items) }, ...pull }
      : { ...changeOf(transit, transit.tell_back, back), ...pull };
  return (
    (await holders(db, source.kind).updateOne({ ...inTurn(found), ...guard }, change as Document)).matchedCount === 1
  );
}
