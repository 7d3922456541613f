/** Rows of other programs, such as site generators: what they hold is made to fit. */
import { parseDateTime } from '../../../shared/time.js';
import { dateIn, defined, type Fields, textIn, textsIn } from '../../system/work/rows/row-fields.js';
import { slugOf } from '../nodes/node-input.js';
import { type ImportRow, RowError } from './import-row.js';

const EXCERPT_LENGTH_MAX = 500;
const TITLE_LENGTH_MAX = 300;
const TAGS_MAX = 50;

/** Of a site generator, for example: `title`, `slug`, `date`, `authors`, `tags`, `excerpt` and `body`. Other fields are ignored. */
export function foreignRow(fields: Fields): ImportRow {
  const title = shortened(oneLine(textIn(fields, 'title') ?? ''), TITLE_LENGTH_MAX);
  if (title === '') throw new RowError('NO_TITLE', 'title');
  const name = textIn(fields, 'slug') ?? title;
  const path = slugOf(name.replaceAll('_', '-'), '');
  if (path === '') throw new RowError('NO_SLUG', 'slug');
  const publishedAt = foreignDate(fields) ?? dayOfSlug(name);
  const authors = textsIn(fields, 'authors') ?? [];
  const author = textIn(fields, 'author') ?? (authors.length > 0 ? authors.join(', ') : undefined);
  return defined({
    path,
    version: 1,
    title,
    excerpt: shortened(oneLine(textIn(fields, 'excerpt') ?? ''), EXCERPT_LENGTH_MAX) || undefined,
    text: textIn(fields, 'text') ?? textIn(fields, 'body'),
    tags: textsIn(fields, 'tags')
      ?.map(oneLine)
      .filter((tag) => tag !== '')
      .slice(0, TAGS_MAX),
    publishedAt,
    at: publishedAt,
    author: author === undefined ? undefined : shortened(oneLine(author), TITLE_LENGTH_MAX) || undefined,
  });
}

/** RFC 3339 with a space, or a day. */
function foreignDate(fields: Fields): Date | undefined {
  const text = textIn(fields, 'date')?.trim();
  if (!text) return dateIn(fields, 'publishedAt');
  const date = parseDateTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text.replace(' ', 'T'));
  if (!date) throw new RowError('INVALID_DATE', 'date');
  return date;
}

/** Posts of site generators are often named after their day. */
function dayOfSlug(slug: string): Date | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=-)/.exec(slug) ?? [];
  return (day && parseDateTime(`${day}T00:00:00Z`)) || undefined;
}

/** Controls and everything that is invisible: a title made by another program may have it by accident. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(HIDDEN, '').trim();

/** At the end of a word, with an ellipsis. */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const cut = text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut.replace(/\s+\S*$/, '')}…`;
}
