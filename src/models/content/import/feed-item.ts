/** The entries of RSS and Atom feeds as rows. */

import { markdownOf, plainTextOf } from '../../../shared/rendering/html-markdown.js';
import { parseDateTime } from '../../../shared/time.js';
import { slugOf } from '../nodes/node-input.js';
import { oneLine, shortened } from './foreign-row.js';
import { type ImportRow, RowError } from './import-row.js';

/** What an entry says, as text. */
export interface FeedItem {
  title: string;
  /** Where it is on the site of the feed. */
  link: string;
  /** Its identifier, if it has no link. */
  id: string;
  date: string;
  author: string;
  tags: string[];
  /** HTML. */
  content: string;
  /** HTML, shorter. */
  summary: string;
}

const TITLE_LENGTH_MAX = 300;
/** Of a title that is made of the text. */
const MADE_TITLE_LENGTH = 80;
const EXCERPT_LENGTH_MAX = 500;
const TAGS_MAX = 50;

/** @throws RowError */
export function rowOfItem(item: FeedItem): ImportRow {
  const text = markdownOf(item.content || item.summary);
  const excerpt = item.content ? shortened(oneLine(plainTextOf(item.summary)), EXCERPT_LENGTH_MAX) : '';
  const title =
    shortened(oneLine(plainTextOf(item.title)), TITLE_LENGTH_MAX) ||
    shortened(oneLine(plainTextOf(item.content || item.summary)), MADE_TITLE_LENGTH);
  if (title === '') throw new RowError('NO_TITLE', 'title');
  const path = slugOf(nameOf(item), '') || slugOf(title, '');
  if (path === '') throw new RowError('NO_SLUG', 'link');
  const publishedAt = dateOf(item.date);
  const author = shortened(oneLine(nameOfAuthor(item.author)), TITLE_LENGTH_MAX);
  const tags = item.tags.map(oneLine).filter((tag) => tag !== '');
  return {
    path,
    version: 1,
    title,
    ...(excerpt && { excerpt }),
    ...(text && { text }),
    ...(tags.length > 0 && { tags: tags.slice(0, TAGS_MAX) }),
    ...(publishedAt && { publishedAt, at: publishedAt }),
    ...(author && { author }),
  };
}

/** The last part of its address, without an extension. */
function nameOf({ link, id }: FeedItem): string {
  const address = [link, id].find((each) => URL.canParse(each) && /^https?:/.test(each));
  if (!address) return '';
  const last = new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? '';
  return decoded(last)
    .replace(/\.(html?|php|aspx?)$/i, '')
    .replaceAll('_', '-');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a percent sign that is none
  }
}

/** RFC 3339 in Atom, RFC 822 in RSS; feeds mix them. @throws RowError */
function dateOf(text: string): Date | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const ms = Date.parse(trimmed);
  const date = parseDateTime(trimmed) ?? (Number.isNaN(ms) ? null : parseDateTime(new Date(ms).toISOString()));
  if (!date) throw new RowError('INVALID_FEED_DATE', 'date');
  return date;
}

/** RSS has `mail@example.org (Name)`. */
function nameOfAuthor(author: string): string {
  const [, name] = /^\S+@\S+\s*\((.+)\)\s*$/s.exec(author.trim()) ?? [];
  return name ?? author;
}
