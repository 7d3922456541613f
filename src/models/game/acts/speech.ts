/** Speaking: to everybody in the room, or to one of them alone. */
import type { Db } from 'mongodb';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { requireVisible } from '../../../shared/visible-text.js';
import type { CharacterNotFound } from '../world/character.js';
import { type Act, type Actor, act, findRoomOf, happeningBy, type NobodyThere, type Outcome } from './act.js';
import { nobodyThere } from './letting-go.js';
import { tellRoom } from './telling.js';

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
  return act<CharacterMuted | NobodyThere>(db, { ...asked, isTelling: true }, [], async (actor) => {
    const { muted_until } = actor;
    if (muted_until && muted_until > asked.now)
      return refuse('CharacterMuted', `You may not speak until ${inWords(muted_until)}`, { until: muted_until });
    const room = toId === null ? null : await findRoomOf(db, actor);
    const other = toId === null ? null : room?.players.find(({ id }) => id === toId && id !== actor._id);
    if (toId !== null && !other) return room ? nobodyThere() : 'AGAIN';
    const happening = happeningOf(actor, asked, words, other ?? null);
    return tellRoom(db, asked, actor, { happening, other: other ?? null });
  });
}

/** For example `2026-11-26 17:23 UTC`. Clients that know the reader's time zone have `until`. */
const inWords = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

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
