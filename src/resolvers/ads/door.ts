/**
 * The protections of ads, the same at both doors: the routes for pages (`routes.ts`) and the API.
 *
 * - A page gets ads only if the site allows its origin, which a page in a browser cannot forge.
 * - Robots are told apart by their user agent, as in imported logs: they get no ads, and nothing of theirs counts.
 * - Who sends Do Not Track or Global Privacy Control stays unknown, whatever id is sent: no profile is read or written.
 * - An address has one allowance for both doors, which each decision and each receipt takes from.
 *
 * Editors, and programs with the scope ADS_WRITE, act for visitors. They have their own user agents and no page, so the origin and the user
 * agent say nothing; and many visitors may be behind them, so only the limits of operations hold.
 */
import { isbot } from 'isbot';
import { type Decision, type DecisionInput, decideAds } from '../../models/ads/decisions/decision.js';
import { forgetVisitor } from '../../models/ads/profiles/ad-profile.js';
import {
  RECEIPTS_MAX,
  type ReceiptWrite,
  type RecordedReceipts,
  recordReceipts,
  requireFew,
} from '../../models/ads/recording/recording.js';
import { normalizeHost } from '../../models/analytics/sites/site.js';
import type { Context } from '../../server/context/context.js';
import { hasRole } from '../../server/identity/viewer.js';
import { BusyError, InputError, LimitError } from '../../shared/errors.js';
import { SECOND_MS } from '../../shared/time.js';

export type Guest = Pick<Context, 'viewer' | 'signs'>;
export type AdNetwork = Pick<Context, 'ads' | 'db' | 'now'>;

const actsForVisitors = ({ viewer }: Pick<Guest, 'viewer'>): boolean =>
  hasRole(viewer, 'EDITOR') || viewer.scopes.includes('ADS_WRITE');

/** Every browser sends a user agent. */
const isRobot = ({ viewer, signs }: Guest): boolean =>
  !actsForVisitors({ viewer }) && (signs.userAgent === '' || isbot(signs.userAgent));

/**
 * For the API. The routes take from the same allowance, before they read anything.
 * @param count of decisions, of receipts, or of visitors to forget
 * @throws LimitError more than an address may ever send in a minute @throws BusyError the address has reached its limit
 */
export function chargeGuest({ viewer, address, adAllowance }: Context, count: number): void {
  if (actsForVisitors({ viewer })) return;
  const { perMinute } = adAllowance;
  if (count > perMinute) throw new LimitError(`${count} receipts are too many for an address`, perMinute);
  const waitSeconds = adAllowance.charge(address, count);
  if (waitSeconds > 0) throw new BusyError('Your address has exceeded its rate limit for ads', waitSeconds * SECOND_MS);
}

/** A decision for a guest who may stay unknown. */
export type GuestDecision = Omit<Decision, 'visitor'> & { readonly visitor: string | null };

/** @throws InputError @throws SextantError FORBIDDEN the site does not allow the page's origin; NOT_FOUND */
export async function decideForGuest(
  guest: Guest,
  { ads, db, now }: AdNetwork,
  question: DecisionInput,
): Promise<GuestDecision> {
  const site = normalizeHost('site', question.site);
  if (isRobot(guest)) return { visitor: null, ads: [] };
  const { origin, wantsPrivacy } = guest.signs;
  if (!actsForVisitors(guest)) await ads.origins.require(site, origin);
  if (!wantsPrivacy) return decideAds(db, ads.decider, { ...question, site }, now());
  const decision = await decideAds(db, ads.decider, { ...question, site, visitor: null }, now());
  return { ...decision, visitor: null };
}

/** @returns the random part of the id @throws InputError it is not an id of this server */
export function requireVisitor({ ads }: Pick<AdNetwork, 'ads'>, visitor: string): string {
  const id = ads.decider.signer.open('visitor', visitor);
  if (id === null) throw new InputError('visitor', "must be a visitor's id of this server");
  return id;
}

/** Only the visitor's browser knows the id. May be repeated. @returns whether there was a profile @throws InputError */
export function forgetGuest({ ads, db, now }: AdNetwork, visitor: string): Promise<boolean> {
  return forgetVisitor(db, requireVisitor({ ads }, visitor), now());
}

/** May be repeated: a receipt counts once. @throws LimitError @throws InputError the value is invalid */
export async function recordForGuest(
  guest: Guest,
  { ads, db, now }: AdNetwork,
  write: Omit<ReceiptWrite, 'isPrivate' | 'now'>,
): Promise<RecordedReceipts> {
  if (isRobot(guest)) {
    const { receipts } = write;
    requireFew(receipts, RECEIPTS_MAX);
    const refusal = { code: 'FORBIDDEN', message: 'What robots send is not counted' } as const;
    return { recorded: 0, repeated: 0, rejected: receipts.map((_receipt, index) => ({ index, ...refusal })) };
  }
  const destination = { db, signer: ads.decider.signer, recorder: ads.recorder };
  return recordReceipts(destination, { ...write, isPrivate: guest.signs.wantsPrivacy, now: now() });
}
