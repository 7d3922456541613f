/** What is accepted of a campaign. */
import { InputError } from '../../../shared/errors.js';
import { DAY_MS } from '../../../shared/time.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { type Money, requireAmount, writeAmount } from '../../commerce/money/money.js';
import { type FrequencyCapInput, requireCaps } from '../profiles/frequency-cap.js';
import { requireZoneName, type ZoneName, zoneIdOf } from '../zones/zone.js';
import type { KeywordBid } from './ad-unit.js';
import { type CampaignDocument, minorUnits, type Pacing, type PriceModel } from './campaign.js';
import { eventPriceOf } from './pricing.js';

const NAME_LENGTH_MAX = 100;
export const PRICE_MAX = 100_000_000;
const BUDGET_MAX = 1_000_000_000_000; // in thousandths it is still exact
const FLIGHT_MS_MAX = 366 * DAY_MS;
const PLACEMENTS_MAX = 50;

export interface FlightInput {
  readonly from?: Date | null | undefined;
  readonly to: Date;
}

export interface CampaignFields {
  readonly name: string;
  readonly price: Money;
  readonly budget: Money;
  readonly flight: FlightInput;
  readonly pacing: Pacing;
  readonly caps: readonly FrequencyCapInput[];
  readonly placements: readonly ZoneName[];
}

export interface CampaignInput extends CampaignFields {
  readonly priceModel: PriceModel;
}

/** What is omitted or null stays. */
export type CampaignChanges = { readonly [Field in keyof CampaignFields]?: CampaignFields[Field] | null | undefined };

export type StoredFields = Pick<
  CampaignDocument,
  'name' | 'price' | 'budget' | 'flight' | 'pacing' | 'caps' | 'caps_set_at' | 'placements'
>;

/**
 * @param field where the fields are in the input @param currency the store's @param start of a flight that names none. Default: now
 * @throws InputError
 */
export function requireFields(
  field: string,
  changes: CampaignChanges,
  currency: string,
  now: Date,
  start = now,
): Partial<StoredFields> {
  const { name, price, budget, flight, pacing, caps, placements } = changes;
  return {
    ...(name != null && { name: requireVisible(`${field}.name`, name, NAME_LENGTH_MAX) }),
    ...(price != null && { price: requirePrice(`${field}.price`, price, currency) }),
    ...(budget != null && { budget: requireIn(`${field}.budget`, budget, currency, BUDGET_MAX) }),
    ...(flight != null && { flight: requireFlight(`${field}.flight`, flight, now, start) }),
    ...(pacing != null && { pacing }),
    ...(caps != null && { caps: requireCaps(`${field}.caps`, caps), caps_set_at: now }),
    ...(placements != null && { placements: requirePlacements(`${field}.placements`, placements) }),
  };
}

/** A price or a bid. @throws InputError */
export const requirePrice = (field: string, price: Money, currency: string): number =>
  requireIn(field, price, currency, PRICE_MAX);

function requireIn(field: string, { amount, currency }: Money, expected: string, max: number): number {
  if (currency !== expected) throw new InputError(`${field}.currency`, `must be ${expected}`);
  return requireAmount(`${field}.amount`, amount, { min: 1, max, currency });
}

function requireFlight(
  field: string,
  { from: given, to }: FlightInput,
  now: Date,
  start: Date,
): CampaignDocument['flight'] {
  const from = given ?? start;
  if (to <= from || to <= now) throw new InputError(`${field}.to`, 'must be later than the start and than now');
  if (to.getTime() - from.getTime() > FLIGHT_MS_MAX)
    throw new InputError(`${field}.to`, 'must be at most 366 days after the start');
  return { from, to };
}

function requirePlacements(field: string, placements: readonly ZoneName[]): string[] {
  if (placements.length > PLACEMENTS_MAX) throw new InputError(field, `must have at most ${PLACEMENTS_MAX} zones`);
  return [...new Set(placements.map((zone, index) => zoneIdOf(requireZoneName(`${field}.${index}`, zone))))];
}

type Priced = Pick<CampaignDocument, 'price_model' | 'price' | 'budget' | 'spent' | 'currency'>;
type Costs = Pick<CampaignDocument, 'price_model' | 'price' | 'spent'>;

/** A budget that pays for no click or impression would be free advertising. @returns the lowest one that does, in minor units */
export const lowestBudgetOf = ({ price_model, price, spent }: Costs): number =>
  minorUnits(spent + eventPriceOf(price_model, price));

/** @param field of the price or of the budget, whichever was given @throws InputError */
export function requirePayable(field: string, campaign: Priced, bids: readonly KeywordBid[] = []): void {
  const { price_model, budget, currency } = campaign;
  const what = price_model === 'CPC' ? 'a click' : 'an impression';
  const lowest = lowestBudgetOf(campaign);
  if (budget < lowest)
    throw new InputError(
      field,
      `must let the budget pay for ${what}: the lowest budget is ${writeAmount(lowest, currency)}`,
    );
  for (const { keyword, bid } of bids) {
    const needed = lowestBudgetOf({ price_model, price: bid, spent: 0 });
    if (budget < needed)
      throw new InputError(
        field,
        `must let the budget pay for ${what} at the bid for “${keyword}”: the lowest budget is ${writeAmount(needed, currency)}`,
      );
  }
}

/** @throws InputError the budget of the campaign cannot pay for a bid */
export function requirePayableBids({ price_model, budget, currency }: Priced, bids: readonly KeywordBid[]): void {
  for (const [index, { bid }] of bids.entries())
    if (budget < lowestBudgetOf({ price_model, price: bid, spent: 0 }))
      throw new InputError(
        `input.keywords.${index}.bid.amount`,
        `must be one that the budget of ${writeAmount(budget, currency)} can pay for`,
      );
}
