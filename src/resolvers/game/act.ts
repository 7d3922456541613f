/** Acts of the viewer's characters: each takes effect once per idempotency key. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Brief } from '../../database/index.js';
import type { MutationResolvers } from '../../generated/resolvers.js';
import { ACT_KEYS, type Act, type AnyRefusal, type Outcome } from '../../models/game/acts/act.js';
import {
  briefOfCharacter,
  type CharacterNotFound,
  characterNotFound,
  findCharacter,
} from '../../models/game/world/character.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { idOfType } from '../../shared/global-id.js';
import { runOnce } from '../support/once.js';
import { answerOf } from './answer.js';

/** The stored id, or one that nothing has, so that the model says what is not there. */
export const storedId = (type: 'Item' | 'Character' | 'Location', globalId: string): string =>
  idOfType(type, globalId) ?? '';

interface ActArguments {
  readonly characterId: string;
  readonly idempotencyKey?: string | null | undefined;
}

/** Runs an act: the mutation that is being resolved. */
export function runAct<R extends AnyRefusal>(
  context: Context,
  info: GraphQLResolveInfo,
  { characterId, idempotencyKey: key, ...input }: ActArguments,
  work: (asked: Act) => Promise<Outcome<R>>,
): Promise<Outcome<R | CharacterNotFound>> {
  const owner = requirePerson(context.viewer);
  const { changed } = context.rooms;
  const id = storedId('Character', characterId);
  const operation = info.fieldName as keyof MutationResolvers;
  const answer = answerOf(info);
  const keyed = { operation, key, input: { characterId, ...input }, allowance: ACT_KEYS, passing: ['CharacterMuted'] };
  const brief = briefOf<R>(context);
  return runOnce<Outcome<R | CharacterNotFound>>(
    context,
    keyed,
    // The turn of an act begins with the claim of its key: it is over before a retry may begin.
    async (call, _at, begunAt, { at: now }) =>
      ofOwner(owner, await work({ owner, characterId: id, call, begunAt, now, changed, answer })),
    brief,
  );
}

/** Somebody else may have taken the name of a character that was deleted meanwhile. */
const ofOwner = <R extends AnyRefusal>(owner: string, outcome: Outcome<R>): Outcome<R | CharacterNotFound> =>
  '_id' in outcome && outcome.owner !== owner ? characterNotFound() : outcome;

/** A retry gets the character as it is then: a screen is large, and an old one of no use. */
export const briefOf = <R extends AnyRefusal>({
  db,
  viewer,
}: Pick<Context, 'db' | 'viewer'>): Brief<Outcome<R | CharacterNotFound>> => ({
  keep: (outcome) => ('_id' in outcome ? briefOfCharacter(outcome._id) : outcome),
  recall: async (kept) => {
    const outcome = kept as ReturnType<typeof briefOfCharacter> | R;
    if (!('character' in outcome)) return outcome;
    const character = await findCharacter(db, outcome.character);
    return character ? ofOwner<R>(requirePerson(viewer), character) : characterNotFound();
  },
});
