/** Typed commands. */
import type { MutationResolvers, QueryResolvers, SendCommandResultResolvers } from '../../generated/resolvers.js';
import { commands } from '../../models/game/commands/command.js';
import { sendCommand } from '../../models/game/commands/sending.js';
import { resultType } from '../support/result-type.js';
import { runAct } from './act.js';

export const SendCommandResult: SendCommandResultResolvers = { __resolveType: resultType('Character') };

export const Query: Pick<QueryResolvers, 'commands'> = { commands: () => commands };

export const Mutation: Pick<MutationResolvers, 'sendCommand'> = {
  // Its refusals are those of the acts that it does, all of which the union has.
  sendCommand: (_root, args, context, info) =>
    runAct(context, info, args, (asked) => sendCommand(context.db, asked, args.text)) as never,
};
