/** Zones. */
import type {
  MutationResolvers,
  OfferedZoneResolvers,
  QueryResolvers,
  RemoveZoneResultResolvers,
  SaveZoneResultResolvers,
  SubscriptionResolvers,
  ZoneAdResolvers,
  ZoneResolvers,
} from '../../generated/resolvers.js';
import { fillZone } from '../../models/ads/campaigns/placement.js';
import {
  findOfferedZones,
  findZone,
  findZones,
  removeZone,
  requireZoneName,
  saveZone,
  type ZoneDocument,
  zoneIdOf,
  zoneSnippet,
} from '../../models/ads/zones/zone.js';
import { zoneFeed } from '../../models/ads/zones/zone-feed.js';
import { findPlaceInShop } from '../../models/ads/zones/zone-pages.js';
import { normalizeHost } from '../../models/analytics/sites/site.js';
import { InputError, SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { resultType } from '../support/result-type.js';
import { requireAdvertiser } from './ownership.js';

export const Zone: Pick<ZoneResolvers, 'id' | 'site' | 'zone' | 'inShop' | 'snippet'> = {
  id: ({ _id }) => toGlobalId('Zone', _id),
  site: ({ site_id }) => site_id,
  zone: ({ zone_id }) => zone_id,
  inShop: ({ in_shop }) => in_shop ?? false,
  snippet: (zone, _args, { publicUrl }) => zoneSnippet(publicUrl(), zone),
};

export const OfferedZone: Pick<OfferedZoneResolvers, 'site' | 'zone'> = {
  site: ({ site_id }) => site_id,
  zone: ({ zone_id }) => zone_id,
};

export const ZoneAd: Pick<ZoneAdResolvers, 'campaignId' | 'adUnitId' | 'keywords'> = {
  campaignId: ({ campaign_id }) => toGlobalId('Campaign', campaign_id),
  adUnitId: ({ ad_unit_id }) => toGlobalId('AdUnit', ad_unit_id),
  keywords: ({ keywords }) => keywords.map(({ keyword }) => keyword),
};

export const SaveZoneResult: SaveZoneResultResolvers = { __resolveType: resultType('Zone') };
export const RemoveZoneResult: RemoveZoneResultResolvers = { __resolveType: resultType('RemovedZone') };

export const Query: Pick<QueryResolvers, 'zones' | 'offeredZones' | 'shopAdPlace'> = {
  zones: (_root, { site }, { db }) => findZones(db, normalizeHost('site', site)),
  offeredZones: async (_root, page, context) => {
    await requireAdvertiser(context);
    return findOfferedZones(context.db, page);
  },
  shopAdPlace: (_root, { origin }, { db }) => findPlaceInShop(db, origin),
};

/** Which node it is, and whether it is a blog, is up to those who ask for the zone of a blog. @throws InputError */
function blogOf(blogId: string | null | undefined): { readonly blog?: string | null } {
  if (blogId == null) return blogId === null ? { blog: null } : {};
  const blog = idOfType('ContentNode', blogId);
  if (blog === null) throw new InputError('input.blogId', 'must be the id of a blog');
  return { blog };
}

export const Mutation: Pick<MutationResolvers, 'saveZone' | 'removeZone'> = {
  saveZone: async (_root, { input }, { db, now }) => {
    const { design, floor, blogId, inShop, ...name } = input;
    const pages = { ...blogOf(blogId), ...(inShop != null && { inShop }) };
    const zone = { ...name, design: design ?? 'BASIC', floor: floor ?? 0, ...pages } as const;
    const saved = await saveZone(db, zone, now());
    if ('__typename' in saved) return saved;
    await fillZone(db, saved._id, now());
    return (await findZone(db, saved._id)) ?? saved;
  },
  removeZone: async (_root, name, { db }) => {
    const removed = await removeZone(db, name);
    return '__typename' in removed ? removed : { id: toGlobalId('Zone', removed._id) };
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'zoneChanged'> = {
  zoneChanged: {
    subscribe: async (_root, { after, ...name }, { db, hub }) => {
      const id = zoneIdOf(requireZoneName('', name));
      if (!(await findZone(db, id))) throw new SextantError('NOT_FOUND', 'There is no such zone');
      return hub.follow(zoneFeed, { id }, { after });
    },
    resolve: (event: FollowedEvent<ZoneDocument>) => followedAs('zone', event),
  },
};
