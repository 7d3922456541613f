/** The sample network in terms of an import: the source, and the row of a post. */
import { DAY_MS } from '../../../shared/time.js';
import { momentBefore } from '../../seed.js';
import type { HeldWork } from '../../work.js';
import type { PostRow } from '../import/post-row.js';
import { callOfPost, personIdOf } from '../import/source.js';
import { requireAudience, requireDetail } from '../posts/post-input.js';
import type { SampleKey } from './sample-people.js';
import type { SamplePost } from './sample-post.js';

type Filled = Pick<HeldWork, 'work'>;

/** Another one for each work, so that nothing that remembers a removed person mistakes the next one for them. */
export const sourceOf = ({ _id }: Filled['work']): string => `Sample data ${_id}`;

export const idOfPerson = ({ work }: Filled, key: SampleKey): string => personIdOf(sourceOf(work), key);

export const callOfSample = ({ work }: Filled, { key }: SamplePost): string => callOfPost(sourceOf(work), key);

/** @param filled when the domain was filled @param photo the id of an asset @throws InputError */
export function rowOf(post: SamplePost, filled: Date, photo: string | undefined): PostRow {
  const { key, by, on, at, type, text = '' } = post;
  const { audience, circles } = sharedWith(post);
  const input = { type, text, audience, circles, ...fieldsOf(post, filled, photo) };
  requireAudience(input);
  return {
    key,
    by,
    ...(on !== undefined && { on }),
    type,
    ...requireDetail(input, filled),
    audience,
    circles,
    posted: momentBefore(filled, at),
  };
}

function sharedWith({ circles }: SamplePost): Pick<PostRow, 'audience' | 'circles'> {
  if (circles === undefined) return { audience: 'PUBLIC', circles: [] };
  return circles === 'ALL' ? { audience: 'MY_CIRCLES', circles: [] } : { audience: 'CIRCLES', circles };
}

function fieldsOf(post: SamplePost, filled: Date, photo: string | undefined) {
  if (post.type === 'STATUS') return {};
  if (post.type === 'PHOTO') return { image: photo, description: post.description };
  if (post.type === 'LINK') return { url: post.url, title: post.title };
  if (post.type === 'CHECK_IN') return { title: post.title, latitude: post.latitude, longitude: post.longitude };
  const { question, options, closesAfterDays: days } = post;
  return {
    poll: { question, options, closes: days === undefined ? null : new Date(filled.getTime() + days * DAY_MS) },
  };
}
