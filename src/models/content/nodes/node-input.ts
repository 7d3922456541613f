/** What may be entered for a node. Everything here is independent of the stored data. */
import { InputError, LimitError } from '../../../shared/errors.js';
import { idOfType } from '../../../shared/global-id.js';
import { requireVisible } from '../../../shared/visible-text.js';
import type { NodeDetail, NodeType } from './node.js';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const SLUG_LENGTH_MAX = 100;
const TITLE_LENGTH_MAX = 300;
const EXCERPT_LENGTH_MAX = 500;
export const TEXT_LENGTH_MAX = 200_000;
const DESCRIPTION_LENGTH_MAX = 5000;
const SOURCE_LENGTH_MAX = 500;
const ADDRESS_LENGTH_MAX = 2000;
const TAG_LENGTH_MAX = 50;
export const TAGS_MAX = 50;

/** @throws InputError */
export function requireSlug(field: string, slug: string): string {
  if (SLUG.test(slug) && slug.length <= SLUG_LENGTH_MAX) return slug;
  throw new InputError(
    field,
    `must consist of lower-case letters, digits and single hyphens between them, at most ${SLUG_LENGTH_MAX} characters`,
  );
}

/** The slug of a title: its letters and digits of the Latin alphabet, without accents. @param fallback for a title without any */
export function slugOf(title: string, fallback: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, SLUG_LENGTH_MAX).replace(/^-+|-+$/g, '') || fallback;
}

export const requireTitle = (field: string, title: string): string => requireVisible(field, title, TITLE_LENGTH_MAX);

/** @returns the trimmed text, which may be empty @throws InputError */
export function requireExcerpt(field: string, excerpt: string): string {
  return excerpt.trim() === '' ? '' : requireVisible(field, excerpt, EXCERPT_LENGTH_MAX);
}

/** Distinct, in the order given. @throws InputError @throws LimitError */
export function requireTags(field: string, tags: readonly string[]): string[] {
  if (tags.length > TAGS_MAX) throw new LimitError(`${field} may have at most ${TAGS_MAX} tags`, TAGS_MAX, { field });
  return [...new Set(tags.map((tag, at) => requireVisible(`${field}.${at}`, tag.normalize('NFC'), TAG_LENGTH_MAX)))];
}

/** The fields of `NodeDetail` by their names in the API. Null removes one; undefined leaves it. */
export interface DetailInput {
  readonly text?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly videoUrl?: string | null | undefined;
  readonly source?: string | null | undefined;
  readonly imageId?: string | null | undefined;
}

type DetailField = keyof DetailInput;

/** Which kinds have which fields. */
const FIELDS_OF: Readonly<Record<NodeType, readonly DetailField[]>> = {
  PAGE: ['text'],
  BLOG_POST: ['text'],
  VIDEO: ['text', 'videoUrl'],
  IMAGE: ['text', 'imageId'],
  QUOTE: ['text', 'source'],
  PHOTO: ['description', 'imageId'],
  BLOG: ['description'],
  GALLERY: ['description'],
  FOLDER: [],
};

const STORED_NAMES = {
  text: 'text',
  description: 'description',
  videoUrl: 'video_url',
  source: 'source',
  imageId: 'asset_id',
} as const satisfies Record<DetailField, keyof NodeDetail>;

/**
 * The detail of a node after a change.
 * @param prefix of the fields' names in errors @throws InputError
 */
export function requireDetail(prefix: string, type: NodeType, before: NodeDetail, input: DetailInput): NodeDetail {
  const detail: NodeDetail = { ...before };
  for (const field of Object.keys(STORED_NAMES) as DetailField[]) {
    const value = input[field];
    if (value === undefined) continue;
    const name = `${prefix}.${field}`;
    if (!FIELDS_OF[type].includes(field)) {
      if (value === null) continue;
      throw new InputError(name, `does not exist for the type ${type}`);
    }
    const stored = STORED_NAMES[field];
    const text = value === null ? '' : CHECKS[field](name, value);
    if (text === '') delete detail[stored];
    else detail[stored] = text;
  }
  if (type === 'VIDEO' && detail.video_url === undefined) throw new InputError(`${prefix}.videoUrl`, 'is required');
  return detail;
}

const CHECKS: Readonly<Record<DetailField, (field: string, text: string) => string>> = {
  text: (field, text) => requireText(field, text, TEXT_LENGTH_MAX),
  description: (field, text) => requireText(field, text, DESCRIPTION_LENGTH_MAX),
  source: (field, text) => (text.trim() === '' ? '' : requireVisible(field, text, SOURCE_LENGTH_MAX)),
  videoUrl: requireVideoUrl,
  imageId: requireAssetId,
};

/** Controls that no text needs, and halves of characters, which cannot be stored. */
const UNUSABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** A text of several lines, which end with `\n`. @throws InputError */
function requireText(field: string, text: string, lengthMax: number): string {
  const lines = text.replace(/\r\n?/g, '\n');
  if (lines.length > lengthMax) throw new InputError(field, `must have at most ${lengthMax} characters`);
  if (UNUSABLE.test(lines)) throw new InputError(field, 'must not have control characters');
  return lines;
}

/** @throws InputError */
function requireVideoUrl(field: string, text: string): string {
  const address = URL.canParse(text) ? new URL(text) : null;
  if (address?.protocol !== 'https:' || address.username !== '' || text.length > ADDRESS_LENGTH_MAX)
    throw new InputError(field, `must be an address with https:, at most ${ADDRESS_LENGTH_MAX} characters`);
  return address.href;
}

/** @returns the stored id; whether there is such a picture is checked when it is claimed @throws InputError */
function requireAssetId(field: string, globalId: string): string {
  const id = idOfType('Asset', globalId);
  if (id === null) throw new InputError(field, 'must be the id of a picture');
  return id;
}

const YEAR_MAX = 9998;

/** @throws InputError */
export function requirePublished(field: string, published: Date | null): Date | null {
  if (published && published.getUTCFullYear() > YEAR_MAX) throw new InputError(field, `must be before ${YEAR_MAX + 1}`);
  return published;
}
