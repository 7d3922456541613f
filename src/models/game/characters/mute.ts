/**
 * Mutes (`game.mutes`): until when no character of a person may speak. Kept by person, because a character can be deleted and created again,
 * and another one created. The characters repeat it, so that an act reads nothing more.
 */
import type { ClientSession, Db } from 'mongodb';
import { defineCollection } from '../../../database/index.js';
import { characters } from '../world/character.js';

interface MuteDocument {
  /** The user. */
  _id: string;
  until: Date;
}

export const mutes = defineCollection<MuteDocument>('game.mutes', [
  { key: { until: 1 }, expireAfterSeconds: 0 }, // MongoDB removes those that are over
]);

/** Those who have it, when a character of theirs is created. */
export const findMute = (db: Db, owner: string): Promise<MuteDocument | null> => mutes(db).findOne({ _id: owner });

/** Guard: the transaction, in which the last one wins. @param until null: they may speak */
export async function mutePerson(db: Db, session: ClientSession, owner: string, until: Date | null): Promise<void> {
  if (until) await mutes(db).updateOne({ _id: owner }, { $set: { until } }, { session, upsert: true });
  else await mutes(db).deleteOne({ _id: owner }, { session });
  await characters(db).updateMany({ owner }, until ? muted(until) : UNMUTED, { session });
}

export const muted = (until: Date) => ({ $set: { muted_until: until } });
export const UNMUTED = { $unset: { muted_until: '' } } as const;
