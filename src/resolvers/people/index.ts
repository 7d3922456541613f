/** People's part of the API. */
import { makePeopleLoaders, type PeopleLoaders } from '../../models/people/loaders.js';
import { findUser } from '../../models/people/user.js';
import { hasRole } from '../../server/identity/viewer.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import * as apiKey from './api-key.js';
import * as audit from './audit.js';
import * as author from './author.js';
import * as invitation from './invitation.js';
import * as passwordReset from './password-reset.js';
import * as signIn from './sign-in.js';
import * as signUp from './sign-up.js';
import * as user from './user.js';
import { findViewer } from './viewer.js';

export const resolvers: DomainResolvers = {
  modules: [user, signIn, signUp, invitation, passwordReset, apiKey, audit, author],
  nodes: {
    User: {
      mayAsk: ({ viewer }, id) => viewer.id === id || hasRole(viewer, 'ADMIN'),
      find: (context, id) => (context.viewer.id === id ? findViewer(context) : findUser(context.db, id)),
    },
  },
  loaders: makePeopleLoaders,
};

declare module '../../server/context/context.js' {
  interface Loaders extends PeopleLoaders {}
}
