/** Formats and parses amounts of money. */
import type { Money } from '../../../generated/graphql.js';

type Amount = Pick<Money, 'amount' | 'currency'>;

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, trailingZeroDisplay: 'auto' | 'stripIfInteger'): Intl.NumberFormat {
  const key = `${currency} ${trailingZeroDisplay}`;
  const known = formats.get(key);
  if (known) return known;
  const options = { style: 'currency', currency, trailingZeroDisplay } as const;
  const made = new Intl.NumberFormat('en', options);
  formats.set(key, made);
  return made;
}

/** The currency determines the number of decimal places. */
const inMajorUnits = ({ amount }: Amount, format: Intl.NumberFormat): number =>
  amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0);

/** { amount: 1999, currency: 'EUR' } as €19.99. */
export function formatMoney(money: Amount): string {
  const format = formatOf(money.currency, 'auto');
  return format.format(inMajorUnits(money, format));
}

/** A whole amount without trailing zeros, for ranges: €25. */
export function formatRoundMoney(money: Amount): string {
  const format = formatOf(money.currency, 'stripIfInteger');
  return format.format(inMajorUnits(money, format));
}

/** { amount: 1999, currency: 'EUR' } as 19.99, as `parseAmount` reads it. */
export function toAmountText({ amount, currency }: Amount): string {
  const format = formatOf(currency, 'auto');
  return inMajorUnits({ amount, currency }, format).toFixed(format.resolvedOptions().maximumFractionDigits ?? 0);
}

/** "19.99" as 1999, with the currency's number of decimal places. @returns null if the text is not an amount */
export function parseAmount(text: string, currency: string): number | null {
  const digits = formatOf(currency, 'auto').resolvedOptions().maximumFractionDigits ?? 0;
  const [, whole, fraction = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > digits) return null;
  return Number(whole + fraction.padEnd(digits, '0'));
}

const WRITTEN = /(?:\bfrom (\d+) to )?\b(\d+) minor units of ([A-Z]{3})\b/g;

/** A sentence of the server with its amounts as money: `500 minor units of EUR` as €5.00. */
export const inMoney = (sentence: string): string =>
  sentence.replace(WRITTEN, (_words, from: string | undefined, amount: string, currency: string) => {
    const money = (text: string) => formatMoney({ amount: Number(text), currency });
    return from === undefined ? money(amount) : `from ${money(from)} to ${money(amount)}`;
  });
