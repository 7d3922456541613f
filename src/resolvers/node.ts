/** `node(id:)`: finds an object of any type by its id alone. */
import type { QueryResolvers } from '../generated/resolvers.js';
import { fromGlobalId } from '../shared/global-id.js';
import type { DomainResolvers } from './support/domain-resolvers.js';

/** @param domains the domains that are on. Their `nodes` are keyed by type name */
export function makeNode(domains: readonly Pick<DomainResolvers, 'nodes'>[]): Pick<QueryResolvers, 'node'> {
  const finders = new Map(domains.flatMap(({ nodes }) => Object.entries(nodes)));
  return {
    node: async (_root, { id: globalId }, context) => {
      const { type, id } = fromGlobalId(globalId) ?? {};
      const finder = type === undefined ? undefined : finders.get(type);
      if (!type || !id || !finder?.mayAsk(context, id)) return null;
      const document = await finder.find(context, id);
      return document && ({ __typename: type, ...document } as never); // the type that the interface resolves to
    },
  };
}
