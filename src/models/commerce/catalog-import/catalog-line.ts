/** One line of a catalog file: a product as JSON, as for `saveProducts`, or `{"category": …}`, as for `addCategory`. */
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { parseDay } from '../../../shared/time.js';
import type { AddCategory } from '../catalog/category-change.js';
import type { ProductInput } from '../catalog/product-input.js';
import { LINE_BYTES_MAX } from './catalog-lines.js';

export type CatalogLine =
  | { readonly kind: 'product'; readonly product: ProductInput }
  | { readonly kind: 'category'; readonly category: AddCategory }
  | { readonly kind: 'rejected'; readonly reason: string };

const text = z.string();
const texts = z.array(text).nullish();
const day = z.string().transform((value, context) => {
  const parsed = parseDay(value);
  if (parsed) return parsed;
  context.addIssue('must be a date such as 1971-11-08');
  return z.NEVER;
});
const money = z.strictObject({ amount: z.number(), currency: text });

/** Checks only the types of the values. `saveProducts` checks their rules. */
const product = z.strictObject({
  sku: text,
  title: text,
  type: text,
  description: text.nullish(),
  asin: text.nullish(),
  price: money,
  listPrice: money.nullish(),
  shipping: z
    .strictObject({
      weight: z.number().nullish(),
      dimensions: z.strictObject({ width: z.number(), height: z.number(), depth: z.number() }).nullish(),
    })
    .nullish(),
  categories: texts,
  properties: z.array(z.strictObject({ name: text, value: text })).nullish(),
  album: z
    .strictObject({
      artist: text,
      genres: texts,
      issuedOn: day,
      tracks: z.array(z.strictObject({ title: text, seconds: z.number() })).nullish(),
    })
    .nullish(),
  film: z
    .strictObject({
      directors: texts,
      writers: texts,
      actors: texts,
      genres: texts,
      issuedOn: day,
      aspectRatio: text.nullish(),
    })
    .nullish(),
});
const category = z.strictObject({ category: z.strictObject({ slug: text, name: text, under: text.nullish() }) });

/** Never throws. */
export function parseCatalogLine(line: Buffer): CatalogLine {
  if (line.length > LINE_BYTES_MAX) return { kind: 'rejected', reason: `The line exceeds ${LINE_BYTES_MAX} bytes` };
  if (!isUtf8(line)) return { kind: 'rejected', reason: 'The line is not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(line.toString());
  } catch {
    return { kind: 'rejected', reason: 'The line is not JSON' };
  }
  if (typeof value === 'object' && value !== null && 'category' in value) {
    const read = category.safeParse(value);
    return read.success ? { kind: 'category', category: read.data.category } : rejected(read.error);
  }
  const read = product.safeParse(value);
  return read.success ? { kind: 'product', product: read.data } : rejected(read.error);
}

function rejected({ issues: [issue] }: z.ZodError): CatalogLine {
  const field = issue?.path.join('.') || 'The line';
  return { kind: 'rejected', reason: `${field}: ${issue ? whyNot(issue) : 'is not a product'}` };
}

/** An explanation for the author of the file. */
function whyNot(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  return issue.message.endsWith('received undefined') ? 'is missing' : `must be of type ${issue.expected}`;
}
