/**
 * Zones: the places for ads on the pages of a site, each with the ads that are available there, embedded and sorted, so that a decision
 * reads one document. The ads are copies of the campaigns and their units: `campaigns/placement.ts` writes them.
 * Source pattern: `ad.zone` of the basic design.
 * Invariant: a zone shows ads of running campaigns only, highest eCPM first (`invariants.ts`).
 */
import { randomBytes, randomInt } from 'node:crypto';
import type { Db, Document, Filter, UpdateFilter } from 'mongodb';
import { defineCollection, findInOrder, isDuplicateKey, isSharded } from '../../../database/index.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { type Connection, type PageInput, requireFirst } from '../../../shared/page.js';
import { findSite, normalizeHost } from '../../analytics/sites/site.js';
import { requireAmount } from '../../commerce/money/money.js';
import type { FrequencyCap } from '../profiles/frequency-cap.js';
import { requireSize } from './size.js';

export type ZoneDesign = 'BASIC' | 'CAPPED' | 'KEYWORDS';

/** What an impression and a click cost, in thousandths of a minor unit. */
export interface Prices {
  impression: number;
  click: number;
}

/** Of what is paid for: an impression or a click. At least 1, since an ad without a price is limited, too. */
export const priceOf = ({ impression, click }: Prices): number => Math.max(1, impression, click);

/** What counts instead when a keyword matches. */
export interface ZoneKeyword {
  keyword: string;
  /** As it is compared (`foldKeyword`), if this differs. Ads that earlier releases have placed are compared as they are. */
  folded?: string;
  ecpm: number;
  prices: Prices;
}

/** An ad that is available in a zone. */
export interface ZoneAd {
  campaign_id: string;
  ad_unit_id: string;
  advertiser_id: string;
  /** Its name. */
  advertiser: string;
  /** Minor units for 1,000 impressions. */
  ecpm: number;
  prices: Prices;
  keywords: ZoneKeyword[];
  caps: FrequencyCap[];
  /** The share of decisions in which it takes part, 0 to 1. */
  share: number;
  /** The impressions of the campaign in a minute of a process at most, at its price. Absent: no limit. */
  per_minute?: number;
  flight: { from: Date; to: Date };
  headline?: string;
  text?: string;
  image_id?: string;
  has_html?: true;
  /** Of the product that it advertises. */
  sku?: string;
}

export interface ZoneDocument {
  /** `site/zone` */
  _id: string;
  site_id: string;
  zone_id: string;
  size: string;
  design: ZoneDesign;
  /** Minor units for 1,000 impressions. */
  floor: number;
  /** The blog on whose pages it is shown. */
  blog?: string;
  /** It is shown on the pages of the shop. */
  in_shop?: true;
  ads: ZoneAd[];
  /** Another one after each write that a decision would notice. Absent: not written since an earlier release. */
  version?: string;
  /** Campaigns that want to be here have not been asked yet, or not since there is room again. */
  is_new?: true;
  /** It was full, and ads that want to be here have no room. */
  turned_ads_away?: true;
  /** Rises whenever the zone is saved or there is room again, so that a process that is filling it notices. Begins at random. */
  room_made?: number;
  created_at: Date;
}

/**
 * On a sharded cluster, the zones of a site are together: writes and reads of a zone name it whole (`zoneAt`). `_id` follows from the key,
 * so it is unique among all shards.
 */
const shardKey = { site_id: 1, zone_id: 1 } as const;

const indexes = [
  { key: shardKey }, // findZones, findZone
  { key: { 'ads.campaign_id': 1 } }, // pullCampaign, isInZone
  { key: { blog: 1, _id: 1 }, partialFilterExpression: { blog: { $exists: true } } }, // findZonesOfBlogs, findPlaceOfBlog
  { key: { site_id: 1, _id: 1 }, partialFilterExpression: { in_shop: true } }, // findPlaceInShop
  { key: { is_new: 1 }, partialFilterExpression: { is_new: true } }, // findNewZones
];

export const zones = defineCollection<ZoneDocument>('ad.zones', indexes, { shardKey });

export const ZONES_MAX = 200;
/** Ads in a zone. Of more, those with the highest eCPM are there. */
export const ADS_MAX = 1000;
const FLOOR_MAX = 1_000_000_000;
const ROOM_MADE_FIRST_MAX = 2 ** 40;
const ZONE_NAME = /^[A-Za-z0-9_-]{1,50}$/;

export interface ZoneName {
  readonly site: string;
  readonly zone: string;
}

/** @returns both parts as they are stored @throws InputError */
export function requireZoneName(field: string, { site, zone }: ZoneName): ZoneName {
  const prefix = field === '' ? '' : `${field}.`;
  if (!ZONE_NAME.test(zone)) throw new InputError(`${prefix}zone`, 'must have 1 to 50 letters, digits, - and _');
  return { site: normalizeHost(`${prefix}site`, site), zone };
}

/** An expression: the ads of a campaign in a zone. */
export const adsOfCampaign = (id: string): Document => ({
  $filter: { input: '$ads', cond: { $eq: ['$$this.campaign_id', { $literal: id }] } },
});

/** A hostname contains no slash. */
export const zoneIdOf = ({ site, zone }: ZoneName): string => `${site}/${zone}`;

export function zoneNameOf(id: string): ZoneName {
  const at = id.indexOf('/');
  return { site: id.slice(0, at), zone: id.slice(at + 1) };
}

/** The filter for one zone, with the whole shard key. */
export function zoneAt(_id: string): Pick<ZoneDocument, '_id' | 'site_id' | 'zone_id'> {
  const { site, zone } = zoneNameOf(_id);
  return { _id, site_id: site, zone_id: zone };
}

const VERSION_BYTES = 12;

/** At random: no version comes back, not even that of a zone that was removed, or of a write that was rolled back. */
export const newVersion = (): string => randomBytes(VERSION_BYTES).toString('base64url');

export interface ZoneInput extends ZoneName {
  readonly size: string;
  readonly design: ZoneDesign;
  readonly floor: number;
  readonly blog?: string | null;
  readonly inShop?: boolean;
}

/** Adds or changes a zone. Then call `fillZone`. @throws InputError @throws LimitError */
export async function saveZone(db: Db, input: ZoneInput, now: Date): Promise<ZoneDocument | Refusal<'SiteNotFound'>> {
  const name = requireZoneName('input', input);
  const size = requireSize('input.size', input.size);
  const floor = requireAmount('input.floor', input.floor, { min: 0, max: FLOOR_MAX });
  if (!(await findSite(db, name.site))) return refuse('SiteNotFound', `No site has the hostname ${name.site}`);
  const _id = zoneIdOf(name);
  const present = await findZones(db, name.site);
  if (present.length >= ZONES_MAX && !present.some((zone) => zone._id === _id))
    throw new LimitError(`A site has at most ${ZONES_MAX} zones`, ZONES_MAX); // calls at the same moment may exceed it slightly
  // Ads of another size go at once. Those of the new size come with `fillZone`.
  const ads = { $cond: [{ $eq: ['$size', size] }, '$ads', []] };
  // It begins at random: one that was removed and is saved again must not repeat a number, with which somebody may still fill the old one.
  const oneMore = { $add: [{ $ifNull: ['$room_made', randomInt(ROOM_MADE_FIRST_MAX)] }, 1] };
  const version = { $literal: newVersion() };
  const { blog, inShop } = input;
  const pages = { ...(blog && { blog: { $literal: blog } }), ...(inShop && { in_shop: true }) };
  const fields = { size, design: input.design, floor, is_new: true, ...pages };
  const removed = [...(blog === null ? ['blog'] : []), ...(inShop === false ? ['in_shop'] : [])];
  const save = () =>
    zones(db).findOneAndUpdate(
      zoneAt(_id), // guard: the latest settings count; an upsert by `_id` adds one zone only
      [
        { $set: { created_at: { $ifNull: ['$created_at', now] }, ads, version, room_made: oneMore, ...fields } },
        ...(removed.length > 0 ? [{ $unset: removed }] : []),
      ],
      { upsert: true, returnDocument: 'after' },
    );
  // Of two first calls, the server repeats only those whose filter is the `_id` alone.
  const saved = await save().catch((error: unknown) => (isDuplicateKey(error) ? save() : Promise.reject(error)));
  failpoint('zone.saved');
  if (!saved) throw new Error('The zone was not saved');
  return saved;
}

/** Another number after each time that room was made in it, or it was saved. Read before it is filled. */
export async function findRoomMade(db: Db, _id: string): Promise<number | undefined> {
  return (await zones(db).findOne(zoneAt(_id), { projection: { room_made: 1 } }))?.room_made;
}

/** It was asked which campaigns want to be there. */
export async function markFilled(db: Db, _id: string, roomMade: number | undefined): Promise<void> {
  const change: UpdateFilter<ZoneDocument> = { $unset: { is_new: '' } };
  // Guard: no room was made meanwhile, and the zone was not saved again, by a process that may have died since.
  await zones(db).updateOne({ ...zoneAt(_id), is_new: true, room_made: roomMade ?? { $exists: false } }, change);
}

/** Repeating it refuses, and changes nothing. */
export async function removeZone(db: Db, name: ZoneName): Promise<{ readonly _id: string } | Refusal<'ZoneNotFound'>> {
  const _id = zoneIdOf(requireZoneName('', name));
  const { deletedCount } = await zones(db).deleteOne(zoneAt(_id));
  return deletedCount === 1 ? { _id } : refuse('ZoneNotFound', `There is no zone ${_id}`);
}

/** @param site normalized */
export function findZones(db: Db, site: string): Promise<ZoneDocument[]> {
  return zones(db).find({ site_id: site }).sort({ zone_id: 1 }).limit(ZONES_MAX).toArray();
}

/** A zone for advertisers, without the ads of others. */
export type OfferedZone = Omit<ZoneDocument, 'ads'>;

const FIRST_MAX = 100;

/** Those of all sites, in the order of their ids. @throws LimitError `first` exceeds 100 @throws CursorError */
export async function findOfferedZones(db: Db, page: PageInput): Promise<Connection<OfferedZone>> {
  requireFirst(page.first, FIRST_MAX);
  return findInOrder(zones(db), { list: 'zones', by: '_id', filter: {}, projection: { ads: 0 } }, page);
}

/** Those that exist, in no order. */
export function findZonesById(db: Db, ids: readonly string[]): Promise<OfferedZone[]> {
  return zones(db)
    .find({ _id: { $in: [...ids] } }, { projection: { ads: 0 } })
    .toArray();
}

/** Whether some zone has ads of a campaign. */
export const isInZone = async (db: Db, campaign: string): Promise<boolean> =>
  (await zones(db).findOne({ 'ads.campaign_id': campaign }, { projection: { _id: 1 } })) !== null;

/** Where no mongos needs the shard key, by `_id` alone: MongoDB has a fast path for it, and plans a filter of several fields each time. */
const byKey = async (db: Db, id: string): Promise<Filter<ZoneDocument>> =>
  (await isSharded(db.client)) ? zoneAt(id) : { _id: id };

export async function findZone(db: Db, id: string): Promise<ZoneDocument | null> {
  return zones(db).findOne(await byKey(db, id));
}

/** @returns null if there is no such zone */
export async function findZoneVersion(db: Db, id: string): Promise<Pick<ZoneDocument, 'version'> | null> {
  return zones(db).findOne(await byKey(db, id), { projection: { _id: 0, version: 1 } });
}

/** Zones that have room again, and those that were saved by a process that died before it filled them. */
export function findNewZones(db: Db): AsyncIterable<Pick<ZoneDocument, '_id'>> {
  return zones(db).find({ is_new: true }, { projection: { _id: 1 } });
}

/** One line of HTML for the place on the page. @param publicUrl where browsers reach this server */
export function zoneSnippet(publicUrl: string, { site_id, zone_id, size }: ZoneDocument): string {
  const base = publicUrl.replace(/\/+$/, '');
  const [width, height] = size.split('x');
  return (
    `<div data-zone="${zone_id}" style="width:${width}px;height:${height}px"></div>` + // none of these has characters that are special in HTML
    `<script async src="${base}/ads.js" data-site="${site_id}"></script>`
  );
}
