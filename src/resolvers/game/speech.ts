/** Speaking. */
import type { MutationResolvers, SpeakResultResolvers } from '../../generated/resolvers.js';
import { speak } from '../../models/game/acts/speech.js';
import { resultType } from '../support/result-type.js';
import { runAct, storedId } from './act.js';

export const SpeakResult: SpeakResultResolvers = { __resolveType: resultType('Character') };

export const Mutation: Pick<MutationResolvers, 'speak'> = {
  speak: (_root, args, context, info) =>
    runAct(context, info, args, (asked) =>
      speak(context.db, asked, args.text, args.toId == null ? null : storedId('Character', args.toId)),
    ),
};
