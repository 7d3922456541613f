/**
 * The rows that an import stores: each is a version of a node. `docs/content-import.md` describes the lines of a file, which are those
 * that an export writes. Lines of other programs have no `path`; what they hold is made to fit.
 */
import { createHash } from 'node:crypto';
import { parseDateTime } from '../../../shared/time.js';
import { type CommentDesign, type CommentPolicy, type NodeType, nodeTypes } from '../nodes/node.js';
import { slugOf } from '../nodes/node-input.js';

export interface ImportRow {
  /** Below the node to which the file is imported: slugs with slashes between them. */
  readonly path: string;
  /** From 1. A later one needs the one before it. */
  readonly version: number;
  /** Default: what the parent groups. */
  readonly type?: NodeType;
  readonly title: string;
  readonly excerpt?: string;
  readonly text?: string;
  readonly description?: string;
  readonly videoUrl?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  readonly publishedAt?: Date;
  /** When this version was stored. */
  readonly at?: Date;
  /** The name of its author. */
  readonly author?: string;
  readonly commentPolicy?: CommentPolicy;
  readonly commentDesign?: CommentDesign;
}

/** Why a row is not stored, in words. */
export const rejectReasons = {
  NOT_JSON: 'The line is not a JSON object',
  NOT_UTF8: 'The line is not UTF-8',
  TOO_LONG: 'The row is too long',
  NO_TITLE: 'There is no title',
  NO_SLUG: 'No slug can be made of it: the title has no Latin letters or digits',
  NO_PARENT: 'There is no node at the path of its parent, or it does not group nodes of this type',
  SLUG_TAKEN: 'Another node has this slug',
  TOO_DEEP: 'The tree would become too deep, or the node would have too many tags',
  NO_PREVIOUS_VERSION: 'The version before it was not imported, or the node was changed since',
  INVALID_PATH: 'The path does not consist of slugs',
  INVALID_TYPE: 'There is no such type of node',
  INVALID_VERSION: 'The version is not a whole number from 1 on',
  INVALID_DATE: 'A time is not in RFC 3339 format',
  INVALID_FIELD: 'A field is not of the right type',
  INVALID_TITLE: 'The title is too long, or has hidden characters',
  INVALID_EXCERPT: 'The excerpt is too long, or has hidden characters',
  INVALID_TEXT: 'The text is too long, or has control characters',
  INVALID_TAGS: 'A tag is too long, or has hidden characters',
  INVALID: 'A field has a value that is not allowed',
} as const;

export type RejectReason = keyof typeof rejectReasons;

/** A row that cannot be stored. */
export class RowError extends Error {
  constructor(readonly reason: RejectReason) {
    super(reason);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws RowError */
export function readRow(line: string): ImportRow {
  const fields = parse(line);
  return 'path' in fields ? ownRow(fields) : foreignRow(fields);
}

function parse(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // as any other text
  }
  throw new RowError('NOT_JSON');
}

function ownRow(fields: Fields): ImportRow {
  const { path, type, version = 1 } = fields;
  if (typeof path !== 'string' || !/^[^/]+(\/[^/]+)*$/.test(path)) throw new RowError('INVALID_PATH');
  if (type !== undefined && !nodeTypes.includes(type as NodeType)) throw new RowError('INVALID_TYPE');
  if (!Number.isSafeInteger(version) || Number(version) < 1) throw new RowError('INVALID_VERSION');
  const title = textIn(fields, 'title');
  if (title === undefined) throw new RowError('NO_TITLE');
  return defined({
    path,
    version: Number(version),
    type: type as NodeType | undefined,
    title,
    excerpt: textIn(fields, 'excerpt'),
    text: textIn(fields, 'text'),
    description: textIn(fields, 'description'),
    videoUrl: textIn(fields, 'videoUrl'),
    source: textIn(fields, 'source'),
    tags: textsIn(fields, 'tags'),
    publishedAt: dateIn(fields, 'publishedAt'),
    at: dateIn(fields, 'at'),
    author: textIn(fields, 'author'),
    commentPolicy: oneOf(fields, 'commentPolicy', ['NOBODY', 'MEMBERS', 'EVERYBODY']),
    commentDesign: oneOf(fields, 'commentDesign', ['ONE_EACH', 'EMBEDDED', 'HYBRID']),
  });
}

const EXCERPT_LENGTH_MAX = 500;
const TITLE_LENGTH_MAX = 300;
const TAGS_MAX = 50;

/** Of a site generator, for example: `title`, `slug`, `date`, `authors`, `tags`, `excerpt` and `body`. Other fields are ignored. */
function foreignRow(fields: Fields): ImportRow {
  const title = shortened(oneLine(textIn(fields, 'title') ?? ''), TITLE_LENGTH_MAX);
  if (title === '') throw new RowError('NO_TITLE');
  const name = textIn(fields, 'slug') ?? title;
  const path = slugOf(name.replaceAll('_', '-'), '');
  if (path === '') throw new RowError('NO_SLUG');
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
  if (!date) throw new RowError('INVALID_DATE');
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

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new RowError('INVALID_FIELD');
  return value;
}

function textsIn(fields: Fields, name: string): string[] | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  const texts = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string')) throw new RowError('INVALID_FIELD');
  return texts as string[];
}

function dateIn(fields: Fields, name: string): Date | undefined {
  const text = textIn(fields, name);
  const date = text === undefined ? undefined : parseDateTime(text);
  if (date === null) throw new RowError('INVALID_DATE');
  return date;
}

function oneOf<T extends string>(fields: Fields, name: string, values: readonly T[]): T | undefined {
  const text = textIn(fields, name);
  if (text !== undefined && !values.includes(text as T)) throw new RowError('INVALID_FIELD');
  return text as T | undefined;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

const defined = <T extends object>(row: T): Defined<T> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Defined<T>;

/** Identifies what a row says, so that the same row is imported once. */
export const digestOf = (row: ImportRow): string =>
  createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 16);
