/** How people create their own accounts. */
import type {
  ConfirmSignUpResultResolvers,
  MutationResolvers,
  QueryResolvers,
  SignUpResultResolvers,
} from '../../generated/resolvers.js';
import { confirmSignUp, signUpWith } from '../../models/people/sign-up.js';
import { typeName } from '../support/result-type.js';
import { answerWithTokens } from './tokens.js';

export const SignUpResult: SignUpResultResolvers = { __resolveType: typeName };
export const ConfirmSignUpResult: ConfirmSignUpResultResolvers = { __resolveType: typeName };

const signUpModes = { closed: 'CLOSED', verified: 'VERIFIED', open: 'OPEN' } as const;

export const Query: Pick<QueryResolvers, 'signUpMode'> = {
  signUpMode: (_root, _args, { config }) => signUpModes[config.SIGN_UP],
};

export const Mutation: Pick<MutationResolvers, 'signUp' | 'confirmSignUp'> = {
  signUp: async (_root, { input }, context) => {
    const { config, db, sessionRules, address, now, mailer } = context;
    const rules = { mode: config.SIGN_UP, sessions: sessionRules, send: mailer.send };
    return answerWithTokens(context, await signUpWith(db, rules, { ...input, address }, now()));
  },
  confirmSignUp: async (_root, args, context) =>
    answerWithTokens(context, await confirmSignUp(context.db, context.sessionRules, args, context.now())),
};
