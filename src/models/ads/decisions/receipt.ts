/**
 * Receipts: signed proofs that it was decided to show an ad, to whom, and at what price. A client cannot change them. Each counts once
 * as an impression, a click and a conversion, until it expires.
 */
import { InputError } from '../../../shared/errors.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../shared/time.js';
import type { Prices } from '../zones/zone.js';
import type { AdSigner } from './ad-signer.js';

export type EventKind = 'IMPRESSION' | 'CLICK' | 'CONVERSION';

/** How long a receipt counts as which event. */
export const VALID_MS: Readonly<Record<EventKind, number>> = {
  IMPRESSION: HOUR_MS,
  CLICK: DAY_MS,
  CONVERSION: 30 * DAY_MS,
};

export interface Receipt {
  /** Unique. */
  readonly id: string;
  readonly unit: string;
  readonly campaign: string;
  readonly advertiser: string;
  /** The zone's id. */
  readonly zone: string;
  /** The random part of the visitor's id. Empty if no profile is kept. */
  readonly visitor: string;
  readonly prices: Prices;
  /** When it was decided, in whole seconds. */
  readonly at: Date;
}

const TEXT_LENGTH_MAX = 2048;

export function signReceipt(signer: AdSigner, receipt: Receipt): string {
  const { id, unit, campaign, advertiser, zone, visitor, prices, at } = receipt;
  const seconds = Math.floor(at.getTime() / SECOND_MS);
  const parts = [id, unit, campaign, advertiser, zone, visitor, prices.impression, prices.click, seconds];
  return signer.sign('receipt', Buffer.from(JSON.stringify(parts)).toString('base64url'));
}

type Parts = [string, string, string, string, string, string, number, number, number];

/** @returns null when it was not signed here */
export function openReceipt(signer: AdSigner, text: string): Receipt | null {
  const opened = text.length > TEXT_LENGTH_MAX ? null : signer.open('receipt', text);
  if (opened === null) return null;
  const [id, unit, campaign, advertiser, zone, visitor, impression, click, seconds] = JSON.parse(
    Buffer.from(opened, 'base64url').toString('utf8'),
  ) as Parts; // as it was signed
  return {
    id,
    unit,
    campaign,
    advertiser,
    zone,
    visitor,
    prices: { impression, click },
    at: new Date(seconds * SECOND_MS),
  };
}

/** @throws InputError it was not signed here, or has expired */
export function requireReceipt(signer: AdSigner, kind: EventKind, field: string, text: string, now: Date): Receipt {
  const receipt = openReceipt(signer, text);
  if (!receipt) throw new InputError(field, 'is not a receipt of this server');
  if (now.getTime() - receipt.at.getTime() > VALID_MS[kind])
    throw new InputError(field, `has expired: it was issued at ${receipt.at.toISOString()}`);
  return receipt;
}
