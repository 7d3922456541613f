/** Requested growth settings of the log: validated, and described in words. Pure. */
import { InputError } from '../../../shared/errors.js';
import { DAY_MS, type Duration, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/time.js';
import { describeBytes, describeDuration } from '../../../shared/words.js';
import { type GrowthGoal, type LogRetention, rotationMs } from './log-growth.js';
import type { LogSegment, LogStrategy } from './log-segment.js';

/** Growth settings as sent by a client. */
export interface GrowthInput {
  readonly strategy: LogStrategy;
  readonly maxBytes?: number | null | undefined;
  readonly maxAge?: Duration | null | undefined;
  readonly collections?: number | null | undefined;
}

/** The limits of each strategy. */
const limits: Readonly<Record<LogStrategy, Partial<Record<'maxBytes' | 'maxAge' | 'collections', 'must' | 'may'>>>> = {
  UNBOUNDED: {},
  CAPPED: { maxBytes: 'must' },
  TTL: { maxAge: 'must' },
  ROTATED_COLLECTIONS: { maxAge: 'must', collections: 'must' },
  ROTATED_DATABASES: { maxAge: 'must', collections: 'must' },
  TIME_SERIES: { maxAge: 'may' },
};

const BYTES_MIN = 1024 ** 2;
const BYTES_MAX = 1024 ** 4;
const AGE_MIN_MS = HOUR_MS;
const AGE_MAX_MS = 3650 * DAY_MS;
const COLLECTIONS_MIN = 2;
const COLLECTIONS_MAX = 100;
const ROTATION_MIN_MS = 10 * MINUTE_MS; // a request dated a day ahead keeps its segment a day longer, so there are at most 144 more

/** @throws InputError names the field and the rule */
export function requireGoal(input: GrowthInput): GrowthGoal {
  const { strategy } = input;
  for (const name of ['maxBytes', 'maxAge', 'collections'] as const) {
    const use = limits[strategy][name];
    if (use === 'must' && input[name] == null) throw new InputError(`input.${name}`, `is required for ${strategy}`);
    if (!use && input[name] != null) throw new InputError(`input.${name}`, `is not supported by ${strategy}`);
  }
  const { maxBytes, maxAge, collections } = input;
  if (maxBytes != null) requireWhole('input.maxBytes', maxBytes, BYTES_MIN, BYTES_MAX);
  if (collections != null) requireWhole('input.collections', collections, COLLECTIONS_MIN, COLLECTIONS_MAX);
  if (maxAge != null && !(maxAge.ms >= AGE_MIN_MS && maxAge.ms <= AGE_MAX_MS && maxAge.ms % SECOND_MS === 0)) {
    throw new InputError('input.maxAge', 'must be whole seconds from PT1H to P3650D');
  }
  const retention: LogRetention = {
    ...(maxBytes == null ? {} : { max_bytes: maxBytes }),
    ...(maxAge == null ? {} : { max_age_ms: maxAge.ms }),
    ...(collections == null ? {} : { collections }),
  };
  if ((rotationMs({ retention }) ?? ROTATION_MIN_MS) < ROTATION_MIN_MS) {
    throw new InputError('input.collections', 'must be few enough for each to be active for at least 10 minutes');
  }
  return { strategy, retention };
}

function requireWhole(field: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new InputError(field, `must be a whole number from ${min} to ${max}`);
}

/** The next segment that a goal needs. */
export function segmentFor({ strategy, retention }: GrowthGoal, number: number): LogSegment {
  const { max_bytes, max_age_ms } = retention;
  const expires = (strategy === 'TTL' || strategy === 'TIME_SERIES') && max_age_ms !== undefined;
  return {
    number,
    strategy,
    ...(max_bytes === undefined ? {} : { max_bytes }),
    ...(expires ? { expires_after_ms: max_age_ms } : {}),
  };
}

/** For display, for example `TTL, 30 days`. */
export function describeGoal({ strategy, retention }: GrowthGoal): string {
  const { max_bytes, max_age_ms, collections } = retention;
  const parts: string[] = [strategy];
  if (max_bytes !== undefined) parts.push(describeBytes(max_bytes));
  if (max_age_ms !== undefined) parts.push(describeDuration({ ms: max_age_ms }));
  if (collections !== undefined) parts.push(`${collections} collections`);
  return parts.join(', ');
}
