/**
 * Mutes (`game.mutes`): until when no character of a person may speak. Kept by person, because a character can be deleted and created again,
 * and another one created. The characters repeat it, so that an act reads nothing more.
 */
import type { ClientSession, Db, UpdateFilter } from 'mongodb';
import { commitConcernOf, defineCollection, inTransaction } from '../../../database/index.js';
import { type CharacterDocument, characters } from '../world/character.js';

interface MuteDocument {
  /** The user. */
  _id: string;
  until: Date;
}

export const mutes = defineCollection<MuteDocument>('game.mutes', [
  { key: { until: 1 }, expireAfterSeconds: 0 }, // MongoDB removes those that are over
]);

/**
 * Until when the characters of a person may not speak, for one that is created. Of mutes that versions before made, only the other characters
 * of the person know.
 */
async function findMute(db: Db, owner: string, created: string): Promise<Date | undefined> {
  const mute = await mutes(db).findOne({ _id: owner });
  if (mute) return mute.until;
  const others = await characters(db)
    .find({ owner, _id: { $ne: created } }, { projection: { muted_until: 1 } })
    .toArray();
  return others.flatMap(({ muted_until }) => muted_until ?? []).sort(latestFirst)[0];
}

const latestFirst = (one: Date, other: Date): number => other.getTime() - one.getTime();

/** A character as it may be brought into the world. */
export async function asMuted(db: Db, owner: string, made: CharacterDocument): Promise<CharacterDocument> {
  const until = await findMute(db, owner, made._id);
  return until ? { ...made, muted_until: until } : made;
}

/** Once more, when it is in the world: its person may have been muted meanwhile, by somebody who did not see it yet. */
export async function keepMuted(db: Db, owner: string, created: CharacterDocument): Promise<CharacterDocument> {
  const { _id, muted_until: known } = created;
  const until = await findMute(db, owner, _id);
  if (until?.getTime() === known?.getTime()) return created;
  const changed = await characters(db).findOneAndUpdate(
    { _id, muted_until: known ?? { $exists: false } }, // guard: nobody has muted it since
    muteUpdate(until),
    { returnDocument: 'after' },
  );
  return changed ?? created;
}

/** Guard: the transaction, in which the last one wins. @param until null: they may speak */
export async function mutePerson(db: Db, session: ClientSession, owner: string, until: Date | null): Promise<void> {
  if (until) await mutes(db).updateOne({ _id: owner }, { $set: { until } }, { session, upsert: true });
  else await mutes(db).deleteOne({ _id: owner }, { session });
  await characters(db).updateMany({ owner }, muteUpdate(until), { session });
}

/** Once more, after the transaction: for a character that was created meanwhile, which it did not see. */
export async function mutePersonAgain(db: Db, owner: string): Promise<void> {
  const isLeftOut = (until: Date | undefined) => ({ owner, muted_until: until ? { $ne: until } : { $exists: true } });
  const until = (await mutes(db).findOne({ _id: owner }))?.until;
  if (!(await characters(db).findOne(isLeftOut(until), { projection: { _id: 1 } }))) return;
  await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const last = (await mutes(db).findOne({ _id: owner }, { session }))?.until;
    await characters(db).updateMany(isLeftOut(last), muteUpdate(last), { session }); // guard: the transaction, as before
  });
}

/** @param until null: it may speak */
export const muteUpdate = (until: Date | null | undefined): UpdateFilter<CharacterDocument> =>
  until ? { $set: { muted_until: until } } : { $unset: { muted_until: '' } };
