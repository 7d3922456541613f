/** `node(id:)`: how an object of each type is found by its id alone, and who may see it. A type adds one line. */
import type { QueryResolvers } from '../generated/resolvers.js';
import { findLogImport } from '../models/analytics/log-import.js';
import { findEvent } from '../models/analytics/request-log.js';
import { findSite } from '../models/analytics/site.js';
import { findUser } from '../models/people/user.js';
import type { Context } from '../server/context.js';
import { hasRole } from '../server/viewer.js';
import { fromGlobalId } from '../shared/global-id.js';

interface NodeLoader {
  /** Called before anything is read. */
  mayAsk(context: Context, id: string): boolean;
  find(context: Context, id: string): Promise<object | null>;
}

const administrators = ({ viewer }: Context) => hasRole(viewer, 'ADMIN');

const loaders: ReadonlyMap<string, NodeLoader> = new Map([
  ['LogEvent', { mayAsk: administrators, find: ({ db }, id) => findEvent(db, id) }],
  ['LogImport', { mayAsk: administrators, find: ({ db }, id) => findLogImport(db, id) }],
  ['Site', { mayAsk: administrators, find: ({ db }, id) => findSite(db, id) }],
  [
    'User',
    {
      mayAsk: (context, id) => context.viewer.id === id || administrators(context),
      find: ({ db }, id) => findUser(db, id),
    },
  ],
] satisfies [string, NodeLoader][]);

export const Query: Pick<QueryResolvers, 'node'> = {
  node: async (_root, { id: globalId }, context) => {
    const { type, id } = fromGlobalId(globalId) ?? {};
    const loader = type === undefined ? undefined : loaders.get(type);
    if (!type || !id || !loader?.mayAsk(context, id)) return null;
    const document = await loader.find(context, id);
    return document && ({ __typename: type, ...document } as never); // the type that the interface resolves to
  },
};
