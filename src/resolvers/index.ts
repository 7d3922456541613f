/** All resolvers: the domains' parts, joined. */
import type { IResolvers } from '@graphql-tools/utils';
import { makeNode } from './node.js';
import * as scalars from './scalars.js';
import type { DomainResolvers, ResolverModule } from './support/domain-resolvers.js';

/** @param domains the domains that are on */
export function makeResolvers(domains: readonly DomainResolvers[]): IResolvers {
  const parts = domains.flatMap((domain) => [domain, ...(domain.partFor ? [domain.partFor(domains)] : [])]);
  return merge([scalars, ...parts.flatMap(({ modules }) => modules), { Query: makeNode(parts) }]);
}

/** Merges types that several modules extend (Query, Mutation, Subscription). A field defined by two modules is an error. */
function merge(parts: readonly ResolverModule[]): IResolvers {
  const merged: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [type, value] of Object.entries(part)) {
      const present = merged[type];
      if (present === undefined) merged[type] = value;
      else merged[type] = joinFields(type, present as object, value as object);
    }
  }
  return merged as IResolvers;
}

function joinFields(type: string, left: object, right: object): object {
  for (const field of Object.keys(right)) {
    if (field in left) throw new Error(`${type}.${field} is resolved twice`);
  }
  return { ...left, ...right };
}
