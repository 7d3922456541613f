/**
 * Decisions: which ads a zone shows. Two reads by key, in parallel: the zone (its version, if it has not changed) and the visitor's
 * profile. Nothing is written, and nothing is sorted in the database. Only if an ad of a product was chosen, the product is read as well,
 * so that nothing sold out is shown.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { InputError, SextantError } from '../../../shared/errors.js';
import { findProductsBySku } from '../../commerce/catalog/product-list.js';
import type { Money } from '../../commerce/money/money.js';
import { findProfile, VisitorContacts } from '../profiles/ad-profile.js';
import { foldKeyword, requireKeyword } from '../zones/keyword.js';
import { priceOf, requireZoneName, type ZoneDocument, type ZoneName, zoneIdOf } from '../zones/zone.js';
import type { ZoneCache } from '../zones/zone-cache.js';
import type { AdSigner } from './ad-signer.js';
import type { DecisionTally } from './decision-tally.js';
import type { MinuteCount } from './minute-count.js';
import { sealReceipt } from './receipt.js';
import { type Candidate, pickAds, type RankedAd, rankAds } from './scoring.js';

export interface DecisionInput extends ZoneName {
  readonly visitor?: string | null | undefined;
  readonly keywords: readonly string[];
  readonly count: number;
}

/** What decides, in this process. */
export interface Decider {
  readonly signer: AdSigner;
  readonly zones: ZoneCache;
  readonly tally: DecisionTally;
  readonly shown: MinuteCount;
  /** From 0 to 1. */
  readonly random: () => number;
}

export interface DecidedAd extends Candidate {
  readonly receipt: string;
  /** In pixels, as the zone's. */
  readonly size: string;
  /** Of the product that it advertises, at this moment. Null if it advertises none. */
  readonly price: Money | null;
}

export interface Decision {
  readonly visitor: string;
  readonly ads: readonly DecidedAd[];
}

/** A decision with everything that led to it. */
export interface Deliberation {
  readonly zone: ZoneDocument;
  readonly candidates: readonly Candidate[];
  /** The random part of the visitor's id. Empty if the visitor is unknown. */
  readonly visitor: string;
  /** By SKU: the prices of the products of the ads that are shown. */
  readonly productPrices: ReadonlyMap<string, Money>;
  readonly documentsRead: number;
}

const COUNT_MAX = 20;
/** Of a page. */
export const KEYWORDS_MAX = 50;
const VISITOR_BYTES = 16;
const ID_BYTES = 12;

/** @throws InputError @throws SextantError NOT_FOUND */
export async function decideAds(db: Db, decider: Decider, input: DecisionInput, now: Date): Promise<Decision> {
  const { zone, candidates, visitor, productPrices } = await deliberate(db, decider, input, now);
  const chosen = candidates.filter(({ verdict }) => verdict === 'SHOWN');
  decider.tally.add(zone._id, now, chosen.length > 0);
  const { signer } = decider;
  const ads = chosen.map((candidate): DecidedAd => {
    const { ad, prices } = candidate;
    const { ad_unit_id: unit, campaign_id: campaign, advertiser_id: advertiser } = ad;
    const id = randomBytes(ID_BYTES).toString('base64url');
    const receipt = { id, unit, campaign, advertiser, zone: zone._id, visitor, prices, at: now };
    const price = productPrices.get(ad.sku ?? '') ?? null;
    decider.shown.add(campaign, 'decisions', priceOf(prices), now);
    return { ...candidate, receipt: sealReceipt(signer, receipt), size: zone.size, price };
  });
  // A known visitor keeps the id as it was signed.
  return { visitor: (visitor && input.visitor) || newVisitor(signer), ads };
}

const newVisitor = (signer: AdSigner): string =>
  signer.sign('visitor', randomBytes(VISITOR_BYTES).toString('base64url'));

/** @throws InputError @throws SextantError NOT_FOUND */
export async function deliberate(
  db: Db,
  { signer, zones, shown, random }: Omit<Decider, 'tally'>,
  { visitor: signed, keywords, count, ...name }: DecisionInput,
  now: Date,
): Promise<Deliberation> {
  const id = zoneIdOf(requireZoneName('', name));
  if (count < 1 || count > COUNT_MAX) throw new InputError('count', `must be from 1 to ${COUNT_MAX}`);
  if (keywords.length > KEYWORDS_MAX) throw new InputError('keywords', `must have at most ${KEYWORDS_MAX} keywords`);
  const given = keywords.map((keyword, index) => requireKeyword(`keywords.${index}`, keyword));
  const words = new Set([...given.map(foldKeyword), ...given]); // also for ads that earlier releases have placed
  const visitor = signed ? signer.open('visitor', signed) : null;
  const [zone, profile] = await Promise.all([zones.find(id), visitor === null ? null : findProfile(db, visitor)]);
  if (!zone) throw new SextantError('NOT_FOUND', 'There is no such zone');
  const contacts = visitor === null ? null : new VisitorContacts(profile, now);
  const shownInMinute = (campaign: string) => shown.of(campaign, now);
  const { design, floor } = zone;
  const question = { design, floor, keywords: words, visitor: contacts, now, shownInMinute, random };
  const { candidates, productPrices, productsRead } = await choose(db, rankAds(zone.ads, question), count);
  const known = visitor !== null && !contacts?.isForgotten ? visitor : '';
  return { zone, candidates, visitor: known, productPrices, documentsRead: 1 + (profile ? 1 : 0) + productsRead };
}

type Chosen = Pick<Deliberation, 'candidates' | 'productPrices'> & { readonly productsRead: number };

/**
 * Picks again, without what is sold out. Once something was, all products that may be shown are read together: however many are sold out,
 * a decision reads products twice at most.
 */
async function choose(db: Db, ranked: readonly RankedAd[], count: number): Promise<Chosen> {
  const [soldOut, productPrices] = [new Set<string>(), new Map<string, Money>()];
  for (;;) {
    const candidates = pickAds(ranked, count, soldOut);
    const isUnknown = (sku: string) => !productPrices.has(sku) && !soldOut.has(sku);
    const chosen = candidates.filter(({ verdict }) => verdict === 'SHOWN');
    if (!skusOf(chosen).some(isUnknown))
      return { candidates, productPrices, productsRead: soldOut.size + productPrices.size };
    const possible = soldOut.size === 0 ? chosen : ranked.filter(({ judged }) => judged === 'SHOWN');
    const asked = skusOf(possible).filter(isUnknown);
    const found = new Map((await findProductsBySku(db, asked)).map((product) => [product._id, product]));
    for (const sku of asked) {
      const product = found.get(sku);
      if (product && product.qty > 0)
        productPrices.set(sku, { amount: product.pricing.retail, currency: product.pricing.currency });
      else soldOut.add(sku);
    }
  }
}

const skusOf = (ads: readonly Pick<Candidate, 'ad'>[]): string[] => [...new Set(ads.flatMap(({ ad }) => ad.sku ?? []))];

/** For the visitor. */
export function whyOf({ ad, matched }: Pick<Candidate, 'ad' | 'matched'>): string {
  const about = matched.length > 0 ? `, because this page is about ${matched.join(', ')}` : '';
  return `${ad.advertiser} pays for ads in this place${about}.`;
}

/** For the editor. */
export function noteOf({ verdict, ad, score, matched }: Candidate): string {
  const scored = `score ${Math.round(score * 100) / 100}`;
  const words = matched.length > 0 ? `, matched ${matched.join(', ')}` : '';
  const notes: Record<Candidate['verdict'], string> = {
    SHOWN: `Shown: ${scored}${words}`,
    OUTSCORED: `Others had a higher score, or the same and more luck: ${scored}${words}`,
    CAPPED: 'The visitor has seen it as often as its frequency caps allow',
    VISITOR_UNKNOWN: 'It has frequency caps, and the visitor is unknown',
    NEEDS_CAPS: 'It has frequency caps, which zones of the design BASIC do not know',
    BELOW_FLOOR: 'Its eCPM is below the floor of the zone',
    PACED:
      ad.share < 1
        ? `Its campaign takes part in ${Number((ad.share * 100).toPrecision(2))} % of the decisions, and not in this one`
        : 'Its campaign has been shown often enough in this minute',
    NOT_IN_FLIGHT: `Its campaign is in flight from ${ad.flight.from.toISOString()} to ${ad.flight.to.toISOString()}`,
    CAMPAIGN_SHOWN: 'Another ad of its campaign is shown',
    SOLD_OUT: 'Its product is sold out',
  };
  return notes[verdict];
}
