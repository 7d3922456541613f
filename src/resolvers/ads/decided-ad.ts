/** An ad as it is sent to pages, by the API and by the routes for browsers. */
import { type DecidedAd, whyOf } from '../../models/ads/decisions/decision.js';
import type { Money } from '../../models/commerce/money/money.js';
import { publicPath } from '../../models/system/assets/asset-address.js';
import { toGlobalId } from '../../shared/global-id.js';
import { adUrl, CLICK_PATH, FRAME_PATH, SEEN_PATH } from './ad-paths.js';

export interface SentAd {
  readonly receipt: string;
  readonly adUnitId: string;
  readonly campaignId: string;
  readonly advertiser: string;
  /** For the script of pages. */
  readonly size: string;
  readonly imageUrl: string | null;
  readonly headline: string | null;
  readonly text: string | null;
  readonly price: Money | null;
  readonly frameUrl: string | null;
  readonly impressionUrl: string;
  readonly clickUrl: string;
  readonly why: string;
}

/** @param publicUrl where browsers reach this server */
export function toSentAd(decided: DecidedAd, publicUrl: string): SentAd {
  const { ad, receipt, price, size } = decided;
  const { headline = null, text = null, image_id } = ad;
  return {
    receipt,
    adUnitId: toGlobalId('AdUnit', ad.ad_unit_id),
    campaignId: toGlobalId('Campaign', ad.campaign_id),
    advertiser: ad.advertiser,
    size,
    imageUrl: image_id === undefined ? null : `${publicUrl.replace(/\/+$/, '')}${publicPath(image_id, null)}`,
    headline,
    text,
    price,
    frameUrl: ad.has_html ? adUrl(publicUrl, FRAME_PATH, receipt) : null,
    impressionUrl: adUrl(publicUrl, SEEN_PATH, receipt),
    clickUrl: adUrl(publicUrl, CLICK_PATH, receipt),
    why: whyOf(decided),
  };
}
