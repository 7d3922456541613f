/**
 * Adding, changing and removing ad units. The zones follow at once; a process that dies before that, or comes to zones in use, leaves it to
 * a worker.
 */
import type { ClientSession, Db } from 'mongodb';
import { type Attempt, commitConcernOf, holdCall, inTransaction } from '../../../database/index.js';
import { InputError, LimitError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { idOfType } from '../../../shared/global-id.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { findProduct } from '../../commerce/catalog/product-list.js';
import type { Money } from '../../commerce/money/money.js';
import { type AuditDocument, recordEntry } from '../../people/audit.js';
import { findAssets } from '../../system/assets/asset.js';
import { claimAssets, noSuchAssets, releaseAssets } from '../../system/assets/asset-claim.js';
import { foldKeyword, requireKeyword } from '../zones/keyword.js';
import { requireSize } from '../zones/size.js';
import {
  type AdUnitDocument,
  type AdUnitNotFound,
  adUnitNotFound,
  adUnits,
  type KeywordBid,
  RECEIPT_PLACE,
  UNITS_EVER_MAX,
  UNITS_PER_CAMPAIGN_MAX,
} from './ad-unit.js';
import {
  type CampaignDocument,
  type CampaignNotChangeable,
  type CampaignNotFound,
  campaignNotChangeable,
  campaignNotFound,
  campaigns,
} from './campaign.js';
import { requirePayableBids, requirePrice } from './campaign-input.js';
import { refreshZonesOrLater } from './placement.js';

export interface AdUnitInput {
  readonly size: string;
  readonly headline?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly html?: string | null | undefined;
  readonly landingUrl: string;
  /** The global id of an asset. */
  readonly imageId?: string | null | undefined;
  readonly sku?: string | null | undefined;
  readonly keywords: readonly { readonly keyword: string; readonly bid: Money }[];
}

type Content = Pick<
  AdUnitDocument,
  'size' | 'headline' | 'text' | 'html' | 'landing_url' | 'image_id' | 'sku' | 'keywords'
>;
export type ProductNotFound = Refusal<'ProductNotFound', { readonly sku: string }>;

const HEADLINE_LENGTH_MAX = 100;
const TEXT_LENGTH_MAX = 500;
const HTML_LENGTH_MAX = 50_000;
const URL_LENGTH_MAX = 2048;
const KEYWORDS_MAX = 50;
/** Of all keywords together: the largest ads, as many as a zone may have, fit in its document. */
const KEYWORDS_BYTES_MAX = 1500;

/** @param currency the store's @throws InputError */
export function requireContent(input: AdUnitInput, currency: string): Content {
  const { headline, text, html, imageId, sku } = input;
  if (headline == null && imageId == null && html == null)
    throw new InputError('input.headline', 'must be given unless there is an image or HTML');
  const image = imageId == null ? null : idOfType('Asset', imageId);
  if (imageId != null && image === null) throw new InputError('input.imageId', 'must be the id of a picture');
  if (html != null && (html.length === 0 || html.length > HTML_LENGTH_MAX || !html.isWellFormed()))
    throw new InputError('input.html', `must be well-formed text of 1 to ${HTML_LENGTH_MAX} characters`);
  return {
    size: requireSize('input.size', input.size),
    ...(headline != null && { headline: requireVisible('input.headline', headline, HEADLINE_LENGTH_MAX) }),
    ...(text != null && { text: requireVisible('input.text', text, TEXT_LENGTH_MAX) }),
    ...(html != null && { html }),
    landing_url: requireUrl('input.landingUrl', input.landingUrl),
    ...(image !== null && { image_id: image }),
    ...(sku != null && { sku }),
    keywords: requireKeywords(input.keywords, currency),
  };
}

/** Also as it is encoded by whatever has made the address. */
const ANY_RECEIPT_PLACE = /(?:\{|%7b){2}receipt(?:\}|%7d){2}/gi;

function requireUrl(field: string, text: string): string {
  const url = text.length <= URL_LENGTH_MAX && URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new InputError(field, `must be an http or https address of at most ${URL_LENGTH_MAX} characters`);
  const places = url.href.match(ANY_RECEIPT_PLACE)?.length ?? 0;
  if (places === 0) return url.href;
  url.search = url.search.replace(ANY_RECEIPT_PLACE, RECEIPT_PLACE);
  // Elsewhere it would stay as it is, or name a host that cannot exist. Many receipts are more than clients accept as an address.
  if (places > 1 || !url.search.includes(RECEIPT_PLACE))
    throw new InputError(field, `may have ${RECEIPT_PLACE} once, in its query`);
  return url.href;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

function requireKeywords(inputs: AdUnitInput['keywords'], currency: string): KeywordBid[] {
  if (inputs.length > KEYWORDS_MAX)
    throw new InputError('input.keywords', `must have at most ${KEYWORDS_MAX} keywords`);
  const bids = inputs.map(({ keyword, bid }, index) => ({
    keyword: requireKeyword(`input.keywords.${index}.keyword`, keyword),
    bid: requirePrice(`input.keywords.${index}.bid`, bid, currency),
  }));
  if (new Set(bids.map(({ keyword }) => foldKeyword(keyword))).size < bids.length)
    throw new InputError('input.keywords', 'must name each keyword once');
  const bytes = bids.reduce((sum, { keyword }) => sum + Math.max(bytesOf(keyword), bytesOf(foldKeyword(keyword))), 0);
  if (bytes > KEYWORDS_BYTES_MAX)
    throw new InputError('input.keywords', `must have at most ${KEYWORDS_BYTES_MAX} bytes together`);
  return bids;
}

/** What an ad unit shall be. */
interface AdUnitWish {
  readonly content: Content;
  /** The user who asks for it. */
  readonly by: string;
  /** For the audit trail, if the campaign is another user's. */
  readonly entry?: AuditDocument | undefined;
}

export interface NewAdUnit extends AdUnitWish {
  readonly campaignId: string;
}

/** Its id is the call: a retry adds only one. @throws InputError the picture does not exist, or is another user's; the budget cannot pay for a bid @throws LimitError the campaign has UNITS_PER_CAMPAIGN_MAX, or had UNITS_EVER_MAX */
export async function addAdUnit(
  db: Db,
  attempt: Attempt,
  { campaignId, content, by, entry }: NewAdUnit,
  now: Date,
): Promise<AdUnitDocument | CampaignNotFound | CampaignNotChangeable | ProductNotFound> {
  const { call } = attempt;
  const missing = await findMissingProduct(db, content);
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const known = await adUnits(db).findOne({ _id: call }, { session });
    if (known) return known; // first: the campaign may have ended since, or the product be gone
    if (missing) return missing;
    await holdCall(db, session, attempt);
    const campaign = await touch(db, session, campaignId, now);
    if ('__typename' in campaign) return campaign;
    const all = await adUnits(db).find({ campaign_id: campaignId }, { session }).toArray();
    requirePayableBids(campaign, content.keywords);
    if (all.length >= UNITS_EVER_MAX)
      throw new LimitError(`A campaign has at most ${UNITS_EVER_MAX} ad units, with those removed`, UNITS_EVER_MAX);
    if (all.filter(({ removed_at }) => !removed_at).length >= UNITS_PER_CAMPAIGN_MAX)
      throw new LimitError(`A campaign has at most ${UNITS_PER_CAMPAIGN_MAX} ad units`, UNITS_PER_CAMPAIGN_MAX);
    const unit: AdUnitDocument = {
      _id: call,
      campaign_id: campaignId,
      advertiser_id: campaign.advertiser_id,
      ...content,
      currency: campaign.currency,
      impressions: 0,
      clicks: 0,
      created_at: now,
    };
    await adUnits(db).insertOne(unit, { session });
    if (content.image_id !== undefined) await claimPicture(db, session, content.image_id, by, now);
    await recordEntry(db, session, entry);
    return unit;
  });
  failpoint('ad-unit.added');
  if (!('__typename' in value)) await refreshZonesOrLater(db, campaignId, now);
  return value;
}

/** Whoever shows a picture publishes it: so only one's own. */
async function claimPicture(db: Db, session: ClientSession, id: string, by: string, now: Date): Promise<void> {
  const [asset] = await findAssets(db, [id]);
  if (!asset || asset.metadata.owner_id !== by) throw noSuchAssets('input.imageId');
  await claimAssets(db, session, [id], { field: 'input.imageId', now });
}

async function findMissingProduct(db: Db, { sku }: Content): Promise<ProductNotFound | null> {
  if (sku === undefined || (await findProduct(db, sku))) return null;
  return refuse('ProductNotFound', `There is no product with the SKU ${sku}`, { sku });
}

/** Guard: written in the transaction, so that units are not changed while the campaign ends. */
async function touch(
  db: Db,
  session: ClientSession,
  id: string,
  now: Date,
): Promise<CampaignDocument | CampaignNotFound | CampaignNotChangeable> {
  const campaign = await campaigns(db).findOneAndUpdate(
    { _id: id },
    { $set: { is_stale: true, last_modified: now } },
    { session, returnDocument: 'after' },
  );
  if (!campaign) return campaignNotFound();
  return campaign.state === 'ENDED' ? campaignNotChangeable('ENDED', 'The campaign has ended') : campaign;
}

/** Replaces its content. @throws InputError a new picture does not exist, or is another user's; the budget cannot pay for a bid */
export async function changeAdUnit(
  db: Db,
  { id, content, by, entry }: AdUnitWish & { readonly id: string },
  now: Date,
): Promise<AdUnitDocument | AdUnitNotFound | CampaignNotChangeable | ProductNotFound> {
  const missing = await findMissingProduct(db, content);
  if (missing) return missing;
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const unit = await adUnits(db).findOne({ _id: id, removed_at: { $exists: false } }, { session });
    if (!unit) return adUnitNotFound();
    const campaign = await touch(db, session, unit.campaign_id, now);
    if ('__typename' in campaign) return campaign.__typename === 'CampaignNotFound' ? adUnitNotFound() : campaign;
    requirePayableBids(campaign, content.keywords);
    const { headline, text, html, image_id, sku, ...kept } = unit;
    const changed: AdUnitDocument = { ...kept, ...content };
    await adUnits(db).replaceOne({ _id: id }, changed, { session }); // guard: read in this transaction
    if (content.image_id !== undefined && content.image_id !== image_id)
      await claimPicture(db, session, content.image_id, by, now);
    const released = image_id !== undefined && image_id !== content.image_id ? [image_id] : [];
    await releaseAssets(db, released, now, session);
    await recordEntry(db, session, entry);
    return changed;
  });
  failpoint('ad-unit.changed');
  if ('__typename' in value) return value;
  await refreshZonesOrLater(db, value.campaign_id, now);
  return value;
}

/** Removing it again returns the same. @param entry for the audit trail, if the campaign is another user's */
export async function removeAdUnit(
  db: Db,
  id: string,
  now: Date,
  entry?: AuditDocument,
): Promise<{ readonly _id: string } | AdUnitNotFound | CampaignNotChangeable> {
  const { value } = await inTransaction(db, commitConcernOf.MAJORITY, async (session) => {
    const unit = await adUnits(db).findOne({ _id: id }, { session });
    if (!unit) return adUnitNotFound();
    const campaign = await touch(db, session, unit.campaign_id, now);
    if ('__typename' in campaign) return campaign.__typename === 'CampaignNotFound' ? adUnitNotFound() : campaign;
    if (unit.removed_at) return unit;
    await adUnits(db).updateOne({ _id: id }, { $set: { removed_at: now } }, { session });
    if (unit.image_id !== undefined) await releaseAssets(db, [unit.image_id], now, session);
    await recordEntry(db, session, entry);
    return unit;
  });
  failpoint('ad-unit.removed');
  if ('__typename' in value) return value;
  await refreshZonesOrLater(db, value.campaign_id, now);
  return { _id: id };
}
