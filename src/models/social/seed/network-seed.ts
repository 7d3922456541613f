/**
 * A small network as sample data of an empty domain: its people with their circles, then what they have posted. It is stored as an import
 * of a source of its own stores it, so nobody can sign in as one of these people. The jobs of a server bring the posts into the news.
 */
import type { ClientSession, Db } from 'mongodb';
import { momentBefore, type SeedStep } from '../../seed.js';
import { claimAssets } from '../../system/assets/asset-claim.js';
import { storeSamplePicture } from '../../system/sample-pictures/sample-picture.js';
import type { HeldWork } from '../../work.js';
import { storeCircles } from '../import/circles-storing.js';
import type { RowError } from '../import/network-row.js';
import { storePeople } from '../import/people-storing.js';
import { storePosts } from '../import/posts-storing.js';
import type { Batch } from '../import/row-reading.js';
import { personIdOf, takeTurn } from '../import/source.js';
import { people } from '../network/person.js';
import { posts } from '../posts/post.js';
import { rowOf, sourceOf } from './sample-network.js';
import { SAMPLE_KEYS, samplePeople } from './sample-people.js';
import type { SamplePost } from './sample-post.js';
import { samplePosts } from './sample-posts.js';
import { addTalk } from './sample-talk.js';
import { type Erase, removePeople, removePosts } from './taking-back.js';

export async function isNetworkEmpty(db: Db): Promise<boolean> {
  const first = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
  return !(await people(db).findOne({}, first)) && !(await posts(db).findOne({}, first));
}

/** @param erase removes a person with all that others see or count */
export const networkSteps = (erase: Erase): readonly SeedStep[] => [peopleStep(erase), ...samplePosts.map(postStep)];

/** All rows are valid: a reason to reject one is a fault of the sample. */
const batchOf = <Row>(rows: readonly Row[]): Batch<Row> => ({
  rows: rows.map((row) => ({
    row,
    rejected: (error: RowError) => {
      throw error;
    },
  })),
  rejects: [],
  position: { rows: 0, lines: 0, bytes: 0 },
  hasLater: false,
});

const peopleStep = (erase: Erase): SeedStep => ({
  fill: async (held) => {
    const portraits: string[] = [];
    for (const key of SAMPLE_KEYS) portraits.push(await storeSamplePicture(held, key, samplePeople[key].portrait));
    return (session) => addPeople(held, session, portraits);
  },
  takeBack: (held) => removePeople(held, erase),
});

/** Before the first of them has posted. */
const JOINED = [60, '18:00'] as const;

/** Guard: the transaction that records the step. */
async function addPeople(held: HeldWork, session: ClientSession, portraits: readonly string[]): Promise<void> {
  const { db, work } = held;
  const joined = momentBefore(work.created_at, JOINED);
  const source = await takeTurn(db, session, sourceOf(work));
  const rows = SAMPLE_KEYS.map((key) => ({ key, ...samplePeople[key] }));
  await storePeople(db, session, source._id, batchOf(rows), joined);
  await claimAssets(db, session, portraits, { field: 'portrait', now: held.now() });
  await people(db).bulkWrite(
    SAMPLE_KEYS.map((key, at) => {
      const update = { $set: { picture_id: String(portraits[at]) } };
      return { updateOne: { filter: { _id: personIdOf(source._id, key) }, update } };
    }),
    { session },
  );
  const circles = rows.flatMap(({ key, circles }) =>
    Object.entries(circles).map(([name, members]) => ({ name, of: key, members })),
  );
  await storeCircles(db, session, source, batchOf(circles), joined);
}

const postStep = (some: readonly SamplePost[]): SeedStep => ({
  fill: async (held) => {
    const photos = new Map<string, string>();
    for (const post of some)
      if (post.type === 'PHOTO') photos.set(post.key, await storeSamplePicture(held, post.key, post.drawing));
    return (session) => addPosts(held, session, some, photos);
  },
  takeBack: async (held) => ({ write: (session) => removePosts(held, session, some) }),
});

/** Guard: the transaction that records the step. */
async function addPosts(
  held: HeldWork,
  session: ClientSession,
  some: readonly SamplePost[],
  photos: ReadonlyMap<string, string>,
): Promise<void> {
  const { db, work } = held;
  const source = await takeTurn(db, session, sourceOf(work));
  const rows = some.map((post) => rowOf(post, work.created_at, photos.get(post.key)));
  await storePosts(db, session, source, batchOf(rows), held.now());
  await claimAssets(db, session, [...photos.values()], { field: 'photo', now: held.now() });
  for (const post of some) await addTalk(held, session, post);
}
