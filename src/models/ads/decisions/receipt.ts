/**
 * Receipts: sealed proofs that it was decided to show an ad, to whom, and at what price. A client can neither read nor change them. Each
 * counts once as an impression, a click and a conversion, until it expires.
 */
import { InputError } from '../../../shared/errors.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../shared/time.js';
import type { Prices } from '../zones/zone.js';
import type { AdSigner, SealedKind } from './ad-signer.js';

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

/** @param kind `click`: for the HTML of the ad, `conversion`: for its landing page, which can count nothing else with it */
export function sealReceipt(signer: AdSigner, receipt: Receipt, kind: SealedKind = 'receipt'): string {
  const { id, unit, campaign, advertiser, zone, visitor, prices, at } = receipt;
  const seconds = Math.floor(at.getTime() / SECOND_MS);
  const parts = [id, unit, campaign, advertiser, zone, visitor, prices.impression, prices.click, seconds];
  return signer.seal(kind, JSON.stringify(parts));
}

type Parts = [string, string, string, string, string, string, number, number, number];

/** @param kinds as which it may have been sealed @returns null when it was not sealed here */
export function openReceipt(
  signer: AdSigner,
  text: string,
  kinds: readonly SealedKind[] = ['receipt'],
): Receipt | null {
  if (text.length > TEXT_LENGTH_MAX) return null;
  let opened: string | null = null;
  for (const kind of kinds) opened ??= signer.unseal(kind, text);
  opened ??= openSigned(signer, text);
  if (opened === null) return null;
  const [id, unit, campaign, advertiser, zone, visitor, impression, click, seconds] = JSON.parse(opened) as Parts; // as it was sealed
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

/** Versions before signed receipts, and those that are still valid count. */
function openSigned(signer: AdSigner, text: string): string | null {
  const opened = text.includes('.') ? signer.open('receipt', text) : null;
  return opened === null ? null : Buffer.from(opened, 'base64url').toString('utf8');
}

/** As which receipts of an event may have been sealed. */
export const SEALED_AS: Readonly<Record<EventKind, readonly SealedKind[]>> = {
  IMPRESSION: ['receipt'],
  CLICK: ['receipt', 'click'],
  CONVERSION: ['receipt', 'conversion'],
};

/** @throws InputError it was not sealed here, or has expired */
export function requireReceipt(signer: AdSigner, kind: EventKind, field: string, text: string, now: Date): Receipt {
  const receipt = openReceipt(signer, text, SEALED_AS[kind]);
  if (!receipt) throw new InputError(field, 'is not a receipt of this server');
  if (now.getTime() - receipt.at.getTime() > VALID_MS[kind])
    throw new InputError(field, `has expired: it was issued at ${receipt.at.toISOString()}`);
  return receipt;
}
