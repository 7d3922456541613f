/** Custom scalars: input is validated here once, so that models get values of the right type. */
import { GraphQLError, type GraphQLScalarTypeConfig, Kind } from 'graphql';
import { EMAIL_LENGTH_MAX } from '../models/people/user.js';
import type { ErrorCode } from '../shared/errors.js';
import {
  type Duration as DurationValue,
  formatDuration,
  parseDateTime,
  parseDay,
  parseDuration,
} from '../shared/time.js';

const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u;

function refuse(name: string, rule: string): never {
  throw new GraphQLError(`${name} ${rule}`, { extensions: { code: 'BAD_USER_INPUT' satisfies ErrorCode, rule } });
}

/** The behavior of a scalar. Its description and specification come from the SDL. */
type Scalar<Value> = Required<
  Pick<GraphQLScalarTypeConfig<Value, unknown>, 'parseValue' | 'parseLiteral' | 'serialize'>
>;

/** A scalar that is a string in requests. @param parse returns null for a string that breaks the rule */
function textScalar<Value>(
  name: string,
  rule: string,
  parse: (text: string) => Value | null,
  serialize: (value: Value) => unknown,
): Scalar<Value> {
  const take = (value: unknown): Value => (typeof value === 'string' ? parse(value) : null) ?? refuse(name, rule);
  return {
    parseValue: take,
    parseLiteral: (node) => take(node.kind === Kind.STRING ? node.value : null),
    serialize: (value) => serialize(value as Value),
  };
}

export const DateTime = textScalar(
  'DateTime',
  'must be an RFC 3339 date and time such as 2026-01-31T08:15:00Z, in the years 1970 to 9998',
  parseDateTime,
  (date: Date) => date.toISOString(),
);

export const LocalDate = textScalar(
  'LocalDate',
  'must be a date such as 1971-11-08, in the years 0001 to 9998',
  parseDay,
  (day: Date) => day.toISOString().slice(0, 10),
);

export const Duration = textScalar<DurationValue>(
  'Duration',
  'must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as PT1H or P7D',
  parseDuration,
  formatDuration,
);

export const EmailAddress = textScalar(
  'EmailAddress',
  `must be an email address of at most ${EMAIL_LENGTH_MAX} characters`,
  (text) => (text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text) ? text.toLowerCase() : null),
  (text: string) => text,
);

const takeSafeInt = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse('SafeInt', 'must be a whole number from 0 to 9007199254740991');

export const SafeInt: Scalar<number> = {
  parseValue: takeSafeInt,
  parseLiteral: (node) => takeSafeInt(node.kind === Kind.INT ? Number(node.value) : null),
  serialize: (value) => value,
};

/** The multipart reader (`src/server/request/upload.ts`) sets the value. Any other value is rejected. */
export const Upload: Omit<Scalar<unknown>, 'serialize'> = {
  parseValue: (value) =>
    typeof value === 'object' && value !== null && 'open' in value
      ? value
      : refuse('Upload', 'must be a file in a multipart request'),
  parseLiteral: () => refuse('Upload', 'must be a variable in a multipart request'),
};
