/** What somebody wants to publish, checked. */
import { InputError } from '../../../shared/errors.js';
import { LATEST_MS } from '../../../shared/time.js';
import { requireLines, requireVisible } from '../../../shared/visible-text.js';
import type { PostDetail, PostType } from './post.js';
import type { Audience } from './visibility.js';

export interface PostInput {
  readonly type: PostType;
  readonly text: string;
  readonly audience: Audience;
  /** Ids of the author's circles. */
  readonly circles: readonly string[];
  /** The id of an asset. */
  readonly image?: string | null | undefined;
  /** What the image shows, for people who cannot see it. */
  readonly description?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
  readonly poll?: PollInput | null | undefined;
}

export interface PollInput {
  readonly question: string;
  readonly options: readonly string[];
  readonly closes: Date | null;
}

const TEXT_LENGTH_MAX = 10_000;
const DESCRIPTION_LENGTH_MAX = 1500; // as in Mastodon, whose clients people know
const URL_LENGTH_MAX = 2000;
const TITLE_LENGTH_MAX = 200;
const QUESTION_LENGTH_MAX = 300;
const OPTIONS_MIN = 2;
const OPTIONS_MAX = 10;
const OPTION_LENGTH_MAX = 100;

/** @returns the trimmed text, empty if it shows nothing @throws InputError */
export const requirePostText = (field: string, text: string): string => requireLines(field, text, TEXT_LENGTH_MAX);

/** The fields that belong to one type each. */
const FIELDS = {
  image: ['PHOTO'],
  description: ['PHOTO'],
  url: ['LINK'],
  title: ['LINK', 'CHECK_IN'],
  latitude: ['CHECK_IN'],
  longitude: ['CHECK_IN'],
  poll: ['POLL'],
} as const satisfies Partial<Record<keyof PostInput, readonly PostType[]>>;

const NAMES = { image: 'imageId' } as const;
const nameOf = (field: string): string => `input.${field in NAMES ? NAMES.image : field}`;

/** @throws InputError a field of another type, or one that is missing or wrong */
export function requireDetail(input: PostInput, now: Date): { readonly text: string; readonly detail?: PostDetail } {
  for (const [field, types] of Object.entries(FIELDS) as [keyof typeof FIELDS, readonly PostType[]][])
    if (input[field] !== null && input[field] !== undefined && !types.includes(input.type))
      throw new InputError(nameOf(field), `does not go with ${input.type}`);
  const text = requirePostText('input.text', input.text);
  if (input.type === 'STATUS') {
    if (text === '') throw new InputError('input.text', 'must not be empty');
    return { text };
  }
  return { text, detail: detailOf(input, now) };
}

function detailOf(input: PostInput, now: Date): PostDetail {
  if (input.type === 'PHOTO') {
    if (!input.image) throw new InputError('input.imageId', 'is required for PHOTO');
    const description = requireLines('input.description', input.description ?? '', DESCRIPTION_LENGTH_MAX);
    return { asset_id: input.image, ...(description && { description }) };
  }
  if (input.type === 'LINK') return linkOf(input);
  return input.type === 'CHECK_IN' ? placeOf(input) : pollOf(input, now);
}

function linkOf({ url, title }: PostInput): PostDetail {
  return {
    url: requireLink(url ?? ''),
    title: title?.trim() ? requireVisible('input.title', title, TITLE_LENGTH_MAX) : '',
  };
}

function requireLink(text: string): string {
  const rule = `must be an https: or http: address with at most ${URL_LENGTH_MAX} characters`;
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text)) throw new InputError('input.url', rule);
  const { protocol, username, password, href } = new URL(text);
  if ((protocol !== 'https:' && protocol !== 'http:') || username || password) throw new InputError('input.url', rule);
  return href;
}

function placeOf({ title, latitude, longitude }: PostInput): PostDetail {
  const name = requireVisible('input.title', title ?? '', TITLE_LENGTH_MAX);
  if (latitude === null || latitude === undefined || longitude === null || longitude === undefined) {
    if ((latitude ?? longitude ?? null) !== null) throw new InputError('input.latitude', 'goes with longitude');
    return { title: name };
  }
  if (!(Math.abs(latitude) <= 90)) throw new InputError('input.latitude', 'must be between -90 and 90');
  if (!(Math.abs(longitude) <= 180)) throw new InputError('input.longitude', 'must be between -180 and 180');
  return { title: name, latitude, longitude };
}

function pollOf({ poll }: PostInput, now: Date): PostDetail {
  if (!poll) throw new InputError('input.poll', 'is required for POLL');
  const question = requireVisible('input.poll.question', poll.question, QUESTION_LENGTH_MAX);
  if (poll.options.length < OPTIONS_MIN || poll.options.length > OPTIONS_MAX)
    throw new InputError('input.poll.options', `must have ${OPTIONS_MIN} to ${OPTIONS_MAX} entries`);
  const options = poll.options.map((text, at) => requireVisible(`input.poll.options.${at}`, text, OPTION_LENGTH_MAX));
  if (new Set(options).size < options.length) throw new InputError('input.poll.options', 'must differ');
  if (poll.closes && (poll.closes <= now || poll.closes.getTime() > LATEST_MS))
    throw new InputError('input.poll.closesAt', 'must be in the future');
  return {
    question,
    options: options.map((text) => ({ text, votes: 0 })),
    ...(poll.closes && { closes: poll.closes }),
  };
}

/** @throws InputError */
export function requireAudience(
  { audience, circles }: Pick<PostInput, 'audience' | 'circles'>,
  field = 'input.circleIds',
): void {
  if (audience === 'CIRCLES' && circles.length === 0) throw new InputError(field, 'must name a circle');
  if (audience !== 'CIRCLES' && circles.length > 0) throw new InputError(field, 'goes with the audience CIRCLES');
}
