/** Speaking: to everybody in the room, or to one of them alone. */
import type { Db } from 'mongodb';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { copyStages } from '../rooms/room-copy.js';
import { changeOf } from '../world/change.js';
import { CALLS_KEPT, type CharacterNotFound, characters } from '../world/character.js';
import { findLocation, locations } from '../world/location.js';
import { type Act, type Actor, act, findRoomOf, happeningBy, type NobodyThere, type Outcome } from './act.js';
import { nobodyThere } from './letting-go.js';

export type CharacterMuted = Refusal<'CharacterMuted', { readonly until: Date }>;

const WORDS_MAX = 500;

/** @param toId null for everybody in the room @throws InputError */
export async function speak(
  db: Db,
  asked: Act,
  given: string,
  toId: string | null,
): Promise<Outcome<CharacterMuted | NobodyThere | CharacterNotFound>> {
  const words = requireVisible('text', given, WORDS_MAX);
  return act<CharacterMuted | NobodyThere>(db, asked, async (actor) => {
    const { muted_until } = actor;
    if (muted_until && muted_until > asked.now)
      return refuse('CharacterMuted', `You may not speak until ${muted_until.toISOString()}`, { until: muted_until });
    const room = toId === null ? null : await findRoomOf(db, actor);
    const other = toId === null ? null : room?.players.find(({ id }) => id === toId && id !== actor._id);
    if (toId !== null && !other) return room ? nobodyThere() : 'AGAIN';
    const location = await locations(db).findOneAndUpdate(
      // Guard: the speaker is in the room, and so is the other one; a retry does not repeat the words.
      {
        _id: actor.location._id,
        'happenings.call': { $ne: asked.call },
        $and: [{ 'players.id': actor._id }, ...(toId === null ? [] : [{ 'players.id': toId }])],
      },
      changeOf({ at: asked.now }, happeningOf(actor, asked, words, other ?? null)),
      { returnDocument: 'after' },
    );
    failpoint('game.spoken');
    const told = location ?? (await findTold(db, actor, asked.call));
    if (!told) return 'AGAIN';
    const speaker = await characters(db).findOneAndUpdate(
      { _id: actor._id, calls: { $ne: asked.call } }, // guard: noted once
      [
        { $set: { calls: { $slice: [{ $concatArrays: ['$calls', [{ $literal: asked.call }]] }, -CALLS_KEPT] } } },
        ...copyStages(told, actor.location.happened),
      ],
      { returnDocument: 'after' },
    );
    return speaker ?? 'AGAIN';
  });
}

function happeningOf(
  actor: Actor,
  asked: Act,
  words: string,
  other: { readonly id: string; readonly name: string } | null,
) {
  if (!other)
    return happeningBy(actor, asked, 'SAID', { text: `${actor.name} says: ${words}`, own: `You say: ${words}` });
  return happeningBy(actor, asked, 'WHISPERED', {
    text: '',
    own: `You whisper to ${other.name}: ${words}`,
    to: other.id,
    to_text: `${actor.name} whispers to you: ${words}`,
    is_private: true,
  });
}

/** The room, if an earlier attempt of the call was heard there. */
async function findTold(db: Db, { location }: Actor, call: string) {
  const room = await findLocation(db, location._id);
  return room?.happenings.some((happening) => happening.call === call) ? room : null;
}
