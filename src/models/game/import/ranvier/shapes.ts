/** What is read of the lines of Ranvier. Other fields, such as scripts and behaviors, belong to its program. */
import { z } from 'zod';
import type { ReadLine } from '../rows/world-row.js';

const text = z.string().nullish();
const reference = z.union([z.string(), z.looseObject({ id: z.string() })]);
const referenceList = z.array(reference).nullish();
const door = z.object({ locked: z.boolean().nullish(), lockedBy: text });

export const roomShape = z.object({
  id: z.string(),
  title: z.string(),
  description: text,
  script: text,
  coordinates: z.tuple([z.number(), z.number(), z.number()]).nullish(),
  exits: z.array(z.object({ roomId: z.string(), direction: z.string() })).nullish(),
  doors: z.record(z.string(), door).nullish(),
  items: referenceList,
  npcs: referenceList,
});
export type RoomShape = z.infer<typeof roomShape>;

const money = { currency: text };
export const itemShape = z.object({
  id: z.string(),
  name: z.string(),
  type: text,
  roomDesc: text,
  description: text,
  script: text,
  items: referenceList,
  locked: z.boolean().nullish(),
  metadata: z
    .looseObject({
      slot: text,
      noPickup: z.boolean().nullish(),
      sellable: z.object({ value: z.number(), ...money }).nullish(),
    })
    .nullish(),
});
export type ItemShape = z.infer<typeof itemShape>;

export const folkShape = z.object({
  id: z.string(),
  name: z.string(),
  script: text,
  items: referenceList,
  metadata: z
    .looseObject({
      vendor: z.object({ items: z.record(z.string(), z.object({ cost: z.number(), ...money })) }).nullish(),
    })
    .nullish(),
});
export type FolkShape = z.infer<typeof folkShape>;

/** A line of a kind, with its key. */
export interface Found<T> {
  readonly key: string;
  readonly area: string;
  readonly line: ReadLine;
  readonly value: T;
}

/** All that the file has, by `area:id`, or by `id` where no area is named. */
export interface Known {
  readonly rooms: ReadonlyMap<string, Found<RoomShape>>;
  readonly items: ReadonlyMap<string, Found<ItemShape>>;
  readonly folk: ReadonlyMap<string, Found<FolkShape>>;
  find<T>(among: ReadonlyMap<string, Found<T>>, reference: string): Found<T> | null;
}

export const idOf = (each: z.infer<typeof reference>): string => (typeof each === 'string' ? each : each.id);
