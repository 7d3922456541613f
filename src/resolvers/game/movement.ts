/** Moving from room to room. */
import type { MoveCharacterResultResolvers, MutationResolvers } from '../../generated/resolvers.js';
import { moveCharacter } from '../../models/game/acts/movement.js';
import { resultType } from '../support/result-type.js';
import { runAct } from './act.js';

export const MoveCharacterResult: MoveCharacterResultResolvers = { __resolveType: resultType('Character') };

export const Mutation: Pick<MutationResolvers, 'moveCharacter'> = {
  moveCharacter: (_root, args, context, info) =>
    runAct(context, info, args, (asked) => moveCharacter(context.db, asked, args.direction)),
};
