/** The zones for ads on the pages of blogs. `resolvers/ads/zone.ts` stores which blog a zone is for. */
import type DataLoader from 'dataloader';
import type { BlogResolvers, ZoneResolvers } from '../../generated/resolvers.js';
import { findZonesOfBlogs } from '../../models/ads/zones/zone-pages.js';
import { batched } from '../../shared/batched-loader.js';
import { toGlobalId } from '../../shared/global-id.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';

interface BlogAdsLoaders {
  /** The name of its zone, by blog. */
  readonly adZone: DataLoader<string, string | null>;
}

const Blog: Pick<BlogResolvers, 'adZone'> = {
  adZone: ({ _id }, _args, { loaders }) => loaders().adZone.load(_id),
};

const Zone: Pick<ZoneResolvers, 'blogId'> = {
  blogId: ({ blog }) => (blog === undefined ? null : toGlobalId('ContentNode', blog)),
};

export const resolvers: DomainResolvers = {
  modules: [{ Blog, Zone }],
  nodes: {},
  loaders: (db): BlogAdsLoaders => ({
    adZone: batched(async (blogs) => {
      const found = await findZonesOfBlogs(db, blogs);
      return blogs.map((blog) => found.get(blog) ?? null);
    }),
  }),
};

declare module '../../server/context/context.js' {
  interface Loaders extends BlogAdsLoaders {}
}
