/** Sites. */
import type {
  ChangeSiteOriginsResultResolvers,
  MutationResolvers,
  QueryResolvers,
  RegisterSiteResultResolvers,
  SiteResolvers,
} from '../../generated/resolvers.js';
import { changeSiteOrigins, findSites, registerSite, siteSnippet } from '../../models/analytics/sites/site.js';
import { toGlobalId } from '../../shared/global-id.js';
import { actOfViewer } from '../people/act.js';
import { resultType } from '../support/result-type.js';

export const Site: SiteResolvers = {
  id: ({ _id }) => toGlobalId('Site', _id),
  host: ({ _id }) => _id,
  allowedOrigins: ({ allowed_origins }) => allowed_origins ?? [],
  snippet: ({ _id }, _args, { publicUrl }) => siteSnippet(publicUrl(), _id),
  createdAt: ({ created_at }) => created_at,
};

export const RegisterSiteResult: RegisterSiteResultResolvers = { __resolveType: resultType('Site') };

export const ChangeSiteOriginsResult: ChangeSiteOriginsResultResolvers = { __resolveType: resultType('Site') };

export const Query: Pick<QueryResolvers, 'sites'> = {
  sites: (_root, _args, { db }) => findSites(db),
};

export const Mutation: Pick<MutationResolvers, 'registerSite' | 'changeSiteOrigins'> = {
  registerSite: async (_root, { input }, context) => {
    const site = { host: input.host, allowedOrigins: input.allowedOrigins ?? [] };
    return registerSite(context.db, await actOfViewer(context), site);
  },
  changeSiteOrigins: async (_root, { host, allowedOrigins }, context) =>
    changeSiteOrigins(context.db, await actOfViewer(context), host, allowedOrigins),
};
