/** Forgotten passwords. */
import type {
  MutationResolvers,
  QueryResolvers,
  RequestPasswordResetResultResolvers,
  ResetPasswordResultResolvers,
} from '../../generated/resolvers.js';
import { requestPasswordReset, resetPassword } from '../../models/people/password-reset.js';
import { refuse } from '../../shared/outcome.js';
import { typeName } from '../support/result-type.js';
import { actOf } from './act.js';
import { answerWithTokens } from './tokens.js';

export const RequestPasswordResetResult: RequestPasswordResetResultResolvers = { __resolveType: typeName };
export const ResetPasswordResult: ResetPasswordResultResolvers = { __resolveType: typeName };

export const Query: Pick<QueryResolvers, 'passwordResetOffered'> = {
  passwordResetOffered: (_root, _args, { config }) => config.SMTP_URL !== undefined,
};

export const Mutation: Pick<MutationResolvers, 'requestPasswordReset' | 'resetPassword'> = {
  requestPasswordReset: async (_root, { email }, { config, db, address, now, mailer }) => {
    if (!config.SMTP_URL) return refuse('NoMail', 'This server does not send email. Ask an administrator');
    const mail = await requestPasswordReset(db, { email, address }, now());
    if ('__typename' in mail) return mail;
    await mailer.send(mail);
    return refuse('CheckYourMail', 'We have sent you an email with instructions');
  },
  resetPassword: async (_root, args, context) => {
    const { db, sessionRules, now } = context;
    const act = ({ email }: { readonly email: string }) => actOf(context, email);
    return answerWithTokens(context, await resetPassword(db, sessionRules, args, act, now()));
  },
};
