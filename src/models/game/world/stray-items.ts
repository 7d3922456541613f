/**
 * Stray items: their container is not in the same inventory, or containers form a circle, so that nobody sees them. Earlier releases left
 * some, when an item was given back into a container that had left meanwhile.
 */
import type { Collection, Db, Document } from 'mongodb';
import { inSnapshotBatches } from '../../../database/collections/snapshot-batches.js';
import { failpoint } from '../../../shared/failpoint.js';
import { changeOf } from './change.js';
import { characters } from './character.js';
import { containersAround, endOpen, type ItemEntry } from './item-entry.js';
import { locations } from './location.js';

/** An item that lies open again as soon as it names no container, with those inside of which it is, as far as they are there. */
interface Stray {
  readonly id: string;
  readonly chain: readonly ItemEntry[];
}

/** The next one. The chain of containers of an item ends at one whose container is missing, or is in the chain itself. */
export function findStray(inventory: readonly ItemEntry[]): Stray | null {
  for (const { id } of inventory) {
    const chain = containersAround(inventory, id);
    const last = chain.at(-1);
    if (last && !endOpen(chain)) return { id: last.id, chain };
  }
  return null;
}

interface Terms {
  readonly now: Date;
  /** Told which room has changed. */
  readonly changed: (room: string) => void;
}

/** @returns how many it has freed */
export async function freeStrayItems(db: Db, terms: Terms): Promise<number> {
  return (await freeIn(db, 'CHARACTER', terms)) + (await freeIn(db, 'LOCATION', terms));
}

const collectionOf = { CHARACTER: characters, LOCATION: locations } as const;

/** The documents of both kinds, as far as strays go. */
interface Holder {
  _id: string;
  inventory: ItemEntry[];
}

async function freeIn(db: Db, kind: keyof typeof collectionOf, terms: Terms): Promise<number> {
  const holders = collectionOf[kind](db) as unknown as Collection<Holder>;
  let count = 0;
  for await (const { documents } of inSnapshotBatches(db, holders, { projection: { inventory: 1 } }))
    for (const { _id } of documents.filter(({ inventory }) => findStray(inventory))) {
      count += await freeAt(holders, _id, kind === 'LOCATION' ? changeOf({ at: terms.now }, null) : {});
      if (kind === 'LOCATION') terms.changed(_id);
    }
  return count;
}

/** @param change what else changes with each @returns how many it has freed */
async function freeAt(holders: Collection<Holder>, _id: string, change: Document): Promise<number> {
  for (let count = 0; ; count += 1) {
    const holder = await holders.findOne({ _id }, { projection: { inventory: 1 } });
    const stray = holder && findStray(holder.inventory);
    if (!stray) return count;
    await holders.updateOne(
      { _id, $and: asFound(stray) },
      { $set: { 'inventory.$[stray].inside_id': null }, ...change },
      { arrayFilters: [{ 'stray.id': stray.id }] },
    );
    failpoint('game.stray-freed');
  }
}

/** Guard: the chain is as it was read, and the container that was missing still is. */
function asFound({ chain }: Stray): object[] {
  const missing = chain.at(-1)?.inside_id;
  const isCircle = chain.some(({ id }) => id === missing);
  return [
    ...chain.map(({ id, inside_id }) => ({ inventory: { $elemMatch: { id, inside_id } } })),
    ...(isCircle ? [] : [{ 'inventory.id': { $ne: missing } }]),
  ];
}
