/** The world as a whole (`game.world`, one document): where characters begin, and how much gold has left it. */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';

interface WorldDocument {
  _id: 'world';
  /** The location where new characters begin. Null in worlds from which earlier releases took it. */
  start?: string | null;
  /** Gold of deleted characters, less what they were created with. */
  gold_gone?: number;
}

export const worlds = defineCollection<WorldDocument>('game.world');

const ONLY = { _id: 'world' } as const;

/** @returns the key of the location, or null if the world has none */
export async function findStart(db: Db): Promise<string | null> {
  return (await worlds(db).findOne(ONLY, { projection: { start: 1 } }))?.start ?? null;
}

/** The last one that is saved as the start is the start: without one, nobody could create a character. */
export async function markStart(db: Db, location: string): Promise<void> {
  await worlds(db).updateOne(ONLY, { $set: { start: location } }, { upsert: true }); // guard: one document
}

/** @returns the gold of deleted characters, less what they were created with */
export async function goldGone(db: Db, session?: ClientSession): Promise<number> {
  return (await worlds(db).findOne(ONLY, { ...(session && { session }) }))?.gold_gone ?? 0;
}

/** In the transaction that deletes the character. */
export async function countGoneGold(db: Db, session: ClientSession, gold: number): Promise<void> {
  await worlds(db).updateOne(ONLY, { $inc: { gold_gone: gold } }, { upsert: true, session });
}
