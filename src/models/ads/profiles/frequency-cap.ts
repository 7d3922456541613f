/** Frequency caps: how often a visitor may see the ads of a campaign. Pure. */
import { InputError } from '../../../shared/errors.js';
import { DAY_MS, type Duration, MINUTE_MS } from '../../../shared/time.js';

export type CapScope = 'CAMPAIGN' | 'AD_UNIT';

/** At most `count` impressions in any period of this length. */
export interface FrequencyCap {
  scope: CapScope;
  count: number;
  period_ms: number;
}

/** The profile of a visitor keeps this many contacts of each kind with an ad unit, and those of this age: no cap asks for more. */
export const CONTACTS_MAX = 200;
export const CONTACTS_KEPT_MS = 30 * DAY_MS;

const CAPS_MAX = 5;

export interface FrequencyCapInput {
  readonly scope: CapScope;
  readonly count: number;
  readonly period: Duration;
}

/** @throws InputError */
export function requireCaps(field: string, inputs: readonly FrequencyCapInput[]): FrequencyCap[] {
  if (inputs.length > CAPS_MAX) throw new InputError(field, `must have at most ${CAPS_MAX} caps`);
  return inputs.map(({ scope, count, period }, index) => {
    if (count < 1 || count > CONTACTS_MAX)
      throw new InputError(`${field}.${index}.count`, `must be from 1 to ${CONTACTS_MAX}`);
    if (period.ms < MINUTE_MS || period.ms > CONTACTS_KEPT_MS)
      throw new InputError(`${field}.${index}.period`, 'must be from PT1M to P30D');
    return { scope, count, period_ms: period.ms };
  });
}
