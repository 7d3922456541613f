/** The lines of a file, as rows: those that an export writes, told apart by their first field, and those of other programs. */
import { InputError } from '../../../shared/errors.js';
import { idOfType } from '../../../shared/global-id.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { isAssetId } from '../../system/assets/asset-copy.js';
import { dateIn, defined, type Fields, numberIn, oneOf, textIn, textsIn } from '../../system/work/rows/row-fields.js';
import { DEPTH_MAX } from '../nodes/group.js';
import { type NodeType, nodeTypes } from '../nodes/node.js';
import { requireSlug } from '../nodes/node-input.js';
import { RANK_MAX } from '../nodes/photo-rank.js';
import { foreignRow } from './foreign-row.js';
import { type ImportRow, type PictureRow, type RedirectRow, RowError, TRASH_SLUG } from './import-row.js';

/** A part of the bytes of a picture. */
export interface PicturePart {
  /** The global id. */
  readonly picture: string;
  /** In Base64. */
  readonly data: string;
}

/** @throws RowError */
export function readRow(fields: Fields): ImportRow | RedirectRow | PictureRow {
  if ('picture' in fields) return pictureRow(fields);
  if ('redirect' in fields) return redirectRow(fields);
  return 'path' in fields ? versionRow(fields) : foreignRow(fields);
}

const PATH = /^[^/]+(\/[^/]+)*$/;
const AUTHOR_LENGTH_MAX = 300;

function versionRow(fields: Fields): ImportRow {
  const { path, type, version = 1 } = fields;
  if (typeof path !== 'string' || !PATH.test(path)) throw new RowError('INVALID_PATH', 'path');
  if (type !== undefined && !nodeTypes.includes(type as NodeType)) throw new RowError('INVALID_TYPE', 'type');
  if (!Number.isSafeInteger(version) || Number(version) < 1) throw new RowError('INVALID_VERSION', 'version');
  const title = textIn(fields, 'title');
  if (title === undefined) throw new RowError('NO_TITLE', 'title');
  // The order is part of `digestOf`: add fields at the end.
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
    author: authorIn(fields),
    commentPolicy: oneOf(fields, 'commentPolicy', ['NOBODY', 'MEMBERS', 'EVERYBODY']),
    commentDesign: oneOf(fields, 'commentDesign', ['ONE_EACH', 'EMBEDDED', 'HYBRID']),
    imageId: textIn(fields, 'imageId'),
    authorId: textIn(fields, 'authorId'),
    previousPath: formerPathIn(fields, 'previousPath', true),
    photoOrder: oneOf(fields, 'photoOrder', ['BY_HAND']),
    rank: numberIn(fields, 'rank', RANK_MAX),
  });
}

function redirectRow(fields: Fields): RedirectRow {
  const { path } = fields;
  const redirect = formerPathIn(fields, 'redirect', false);
  if (redirect === undefined) throw new RowError('INVALID_PATH', 'redirect');
  if (typeof path !== 'string' || !PATH.test(path)) throw new RowError('INVALID_PATH', 'path');
  return defined({ redirect, path, at: dateIn(fields, 'at') });
}

/** Slugs with slashes between them. */
function formerPathIn(fields: Fields, name: string, mayBeTrash: boolean): string | undefined {
  const path = textIn(fields, name);
  if (path === undefined) return undefined;
  const slugs = path.split('/');
  const checked = mayBeTrash && slugs.at(-1) === TRASH_SLUG ? slugs.slice(0, -1) : slugs;
  if (slugs.length > DEPTH_MAX) throw new RowError('INVALID_PATH', name);
  checkInput('INVALID_PATH', name, () => checked.forEach((slug) => void requireSlug(name, slug)));
  return path;
}

/** Empty for an account that was deleted. */
function authorIn(fields: Fields): string | undefined {
  const name = textIn(fields, 'author');
  if (name) checkInput('INVALID_AUTHOR', 'author', () => requireVisible('author', name, AUTHOR_LENGTH_MAX));
  return name;
}

function checkInput(reason: 'INVALID_PATH' | 'INVALID_AUTHOR', field: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw error instanceof InputError ? new RowError(reason, field) : error;
  }
}

const FILE_NAME_LENGTH_MAX = 255;

function pictureRow(fields: Fields): PictureRow {
  const { picture, name, bytes, sha256 } = fields;
  const id = typeof picture === 'string' ? idOfType('Asset', picture) : null;
  if (id === null || !isAssetId(id)) throw new RowError('INVALID_PICTURE', 'picture');
  if ('data' in fields) throw new RowError('INVALID_PICTURE', 'data'); // its beginning is missing
  if (typeof name !== 'string' || name.length > FILE_NAME_LENGTH_MAX) throw new RowError('INVALID_PICTURE', 'name');
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 1) throw new RowError('INVALID_PICTURE', 'bytes');
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) throw new RowError('INVALID_PICTURE', 'sha256');
  return defined({ picture: id, name, bytes: Number(bytes), sha256, at: dateIn(fields, 'at') });
}

/** @returns the bytes, or null if the line is no part of this picture */
export function readPart(line: string, globalId: string): Buffer | null {
  try {
    const part = JSON.parse(line) as Partial<PicturePart> | null;
    return part?.picture === globalId && typeof part.data === 'string' ? Buffer.from(part.data, 'base64') : null;
  } catch {
    return null;
  }
}
