/**
 * The rows that an import stores: versions of nodes, pictures and redirects. `docs/content-import.md` describes the lines of a file,
 * which are those that an export writes. Lines of other programs have no `path`; what they hold is made to fit.
 */
import { createHash } from 'node:crypto';
import type { CommentDesign, CommentPolicy } from '../../comments/discussion/comment.js';
import { RowError as RowErrorOfAnyReason } from '../../system/work/rows/row-error.js';
import type { NodeType } from '../nodes/node.js';

/** A version of a node. */
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
  /** The global id of the picture of an image post or a photo. */
  readonly imageId?: string;
  /** The global id of the author's account. */
  readonly authorId?: string;
  /** Where the version before it was, if not at `path`. Its last slug is TRASH_SLUG if it was in the trash. */
  readonly previousPath?: string;
  /** Of a gallery whose photos have ranks. */
  readonly photoOrder?: 'BY_HAND';
  /** Of a photo in such a gallery. */
  readonly rank?: number;
}

/** A former path, which leads to a node of the import. */
export interface RedirectRow {
  /** Below the node to which the file is imported. */
  readonly redirect: string;
  readonly path: string;
  /** When the node left it. */
  readonly at?: Date;
}

/** The first line of a picture. Its bytes are in the lines after it. */
export interface PictureRow {
  /** The stored id. */
  readonly picture: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly at?: Date;
}

/** Stands for the slug that a version had in the trash: there it is made of the id of its node. */
export const TRASH_SLUG = '~';

/** Why a row is not stored, in words. */
export const rejectReasons = {
  NOT_JSON: 'The line is not a JSON object',
  NOT_UTF8: 'The line is not UTF-8',
  TOO_LONG: 'The row is too long',
  NO_TITLE: 'There is no title',
  NO_SLUG: 'No slug can be made of it: the title has no Latin letters or digits',
  NO_PARENT: 'There is no node at the path of its parent, or it does not group nodes of this type',
  DIFFERS: 'There is a node with this path already, and its content differs',
  SLUG_TAKEN: 'A node has this path',
  TOO_DEEP: 'The tree would become too deep',
  NO_PREVIOUS_VERSION: 'The version before it was not imported, or the node was changed since',
  UNKNOWN_PICTURE: 'It shows a picture that is neither before it in the file nor stored here',
  NO_NODE: 'The node to which it leads was not imported',
  REDIRECT_TAKEN: 'A former path of another node is the same',
  PICTURE_TAKEN: 'Another picture has this id',
  PICTURE_TOO_LARGE: 'The picture has too many bytes or pixels',
  NO_PICTURE: 'It is no JPEG, PNG, GIF, WebP or AVIF picture, or it is damaged',
  DAMAGED_PICTURE: 'The bytes of the picture are not complete, or not those that were exported',
  INVALID_PICTURE: 'The description of a picture is not complete, or a part of one does not follow its beginning',
  INVALID_AUTHOR: 'The name of the author is too long, or has hidden characters',
  INVALID_PATH: 'The path does not consist of slugs',
  INVALID_TYPE: 'There is no such type of node',
  INVALID_VERSION: 'The version is not a whole number from 1 on',
  INVALID_DATE: 'A time is not in RFC 3339 format',
  INVALID_FEED_DATE: 'A time is neither in the format of RSS (RFC 822) nor in that of Atom (RFC 3339)',
  IN_THE_FUTURE: 'The time at which it was stored is in the future',
  INVALID_FIELD: 'A field is not of the right type',
  INVALID_TITLE: 'The title is too long, or has hidden characters',
  INVALID_EXCERPT: 'The excerpt is too long, or has hidden characters',
  INVALID_TEXT: 'The text is too long, or has control characters',
  INVALID_TAGS: 'There are too many tags, or one is too long or has hidden characters',
  INVALID: 'A field has a value that is not allowed',
} as const;

export type RejectReason = keyof typeof rejectReasons;

/** A row that cannot be stored, for one of these reasons. */
export const RowError = RowErrorOfAnyReason as typeof RowErrorOfAnyReason<RejectReason>;
export type RowError = RowErrorOfAnyReason<RejectReason>;

/** Identifies what a row says, so that the same row is imported once. */
export const digestOf = (row: ImportRow): string =>
  createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 16);
