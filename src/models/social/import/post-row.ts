/** The rows of posts, under the same rules as posts that somebody publishes. */
import { InputError } from '../../../shared/errors.js';
import { dateIn, type Fields, numberIn, oneOf, textIn, textsIn } from '../../system/work/rows/row-fields.js';
import type { PostDetail, PostType } from '../posts/post.js';
import { requireAudience, requireDetail } from '../posts/post-input.js';
import type { Audience } from '../posts/visibility.js';
import { keyOf, RowError } from './network-row.js';

export interface PostRow {
  readonly key: string;
  /** The key of the author. */
  readonly by: string;
  /** The key of the owner of the wall. Absent: the author. */
  readonly on?: string;
  readonly type: PostType;
  readonly text: string;
  readonly detail?: PostDetail;
  readonly audience: Audience;
  /** Names of circles of the author, each once. */
  readonly circles: readonly string[];
  readonly posted: Date;
}

const DEGREES_MAX = 180;

/** @throws RowError */
export function readPostRow(fields: Fields, now: Date): PostRow {
  const circles = [...new Set(textsIn(fields, 'circles') ?? [])];
  const type = oneOf(fields, 'type', ['STATUS', 'LINK', 'CHECK_IN', 'POLL', 'PHOTO']) ?? 'STATUS';
  if (type === 'PHOTO') throw new RowError('NO_PHOTOS', 'type');
  const audience =
    oneOf(fields, 'audience', ['PUBLIC', 'MY_CIRCLES', 'CIRCLES']) ?? (circles.length > 0 ? 'CIRCLES' : 'MY_CIRCLES');
  return {
    key: keyOf('post', fields.post),
    by: keyOf('by', fields.by),
    ...(fields.on !== undefined && fields.on !== null && { on: keyOf('on', fields.on) }),
    type,
    ...contentOf(fields, { type, audience, circles }, now),
    audience,
    circles,
    posted: timeIn(fields, now),
  };
}

function contentOf(fields: Fields, given: Pick<PostRow, 'type' | 'audience' | 'circles'>, now: Date) {
  const question = textIn(fields, 'question');
  const options = textsIn(fields, 'options');
  const input = {
    ...given,
    text: textIn(fields, 'text') ?? '',
    url: textIn(fields, 'url'),
    title: textIn(fields, 'title'),
    latitude: numberIn(fields, 'latitude', DEGREES_MAX),
    longitude: numberIn(fields, 'longitude', DEGREES_MAX),
    poll:
      question === undefined && options === undefined
        ? null
        : { question: question ?? '', options: options ?? [], closes: null },
  };
  try {
    requireAudience(input);
    return requireDetail(input, now);
  } catch (error) {
    throw error instanceof InputError ? new RowError('INVALID_POST', nameInRow(String(error.details.field))) : error;
  }
}

/** Fields of the API that have other names in a row. */
const NAMES: Readonly<Record<string, string>> = { poll: 'question', circleIds: 'circles' };

/** @param field for example `input.poll.options.3`, which is `options` in a row */
function nameInRow(field: string): string {
  const name =
    field
      .split('.')
      .filter((part) => part !== 'input' && !/^\d+$/.test(part))
      .at(-1) ?? field;
  return NAMES[name] ?? name;
}

function timeIn(fields: Fields, now: Date): Date {
  const posted = dateIn(fields, 'at');
  if (!posted) throw new RowError('INVALID_DATE', 'at');
  if (posted > now) throw new RowError('IN_THE_FUTURE', 'at');
  return posted;
}
