/** The type of a domain's part of the API, declared in `src/resolvers/<domain>/index.ts`. */
import type { Context } from '../../server/context/context.js';
import type { Routes } from '../../server/context/routes.js';
import type { Commentables } from './commentable.js';

/** The exports of a resolver file: GraphQL types, scalars or both. */
export type ResolverModule = Readonly<Record<string, unknown>>;

/** How `node(id:)` finds an object of a type by its id alone, and who may see it. */
export interface NodeFinder {
  /** Called before any read. */
  mayAsk(context: Context, id: string): boolean;
  find(context: Context, id: string): Promise<object | null>;
}

export interface DomainResolvers {
  readonly modules: readonly ResolverModule[];
  /** By type name. */
  readonly nodes: Readonly<Record<string, NodeFinder>>;
  /** What can be commented on, by type name of its ids. */
  readonly commentables?: Readonly<Record<string, Commentables>>;
  /** What depends on the other domains that are on. */
  partFor?(domains: readonly DomainResolvers[]): Pick<DomainResolvers, 'modules' | 'nodes'>;
  /** Batched loaders for the fields of lists, made once per operation. */
  loaders?(db: Context['db']): object;
  /** HTTP routes beside the API. */
  readonly routes?: Routes;
}
