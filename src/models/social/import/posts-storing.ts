/** Stores a batch of posts at their times, each with its delivery: the couriers bring them into the news. */
import type { ClientSession, Db } from 'mongodb';
import type { RejectedRow, RowsStep } from '../../system/work/data-import.js';
import { deliverImported } from '../delivery/delivery.js';
import { asCircleName } from '../network/circle.js';
import { type PersonDocument, people } from '../network/person.js';
import { newPostId, type PostDocument, posts } from '../posts/post.js';
import { fanOutWay } from '../posts/publishing.js';
import { RowError } from './network-row.js';
import type { PostRow } from './post-row.js';
import type { Batch } from './row-reading.js';
import { callOfPost, notePosts, personIdOf, type SourceDocument } from './source.js';

export async function storePosts(
  db: Db,
  session: ClientSession,
  source: SourceDocument,
  { rows, rejects }: Batch<PostRow>,
  now: Date,
): Promise<RowsStep> {
  const calls = await findCalls(
    db,
    session,
    rows.map(({ row }) => callOfPost(source._id, row.key)),
  );
  const known = await findPeople(
    db,
    session,
    rows.flatMap(({ row }) => [row.by, row.on ?? row.by].map((key) => personIdOf(source._id, key))),
  );
  const refused: RejectedRow[] = [];
  const added: PostDocument[] = [];
  let skipped = 0;
  for (const { row, rejected } of rows) {
    const call = callOfPost(source._id, row.key);
    if (calls.has(call)) {
      skipped += 1;
      continue;
    }
    try {
      added.push(postOf(source._id, row, call, known));
      calls.add(call);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      refused.push(rejected(error));
    }
  }
  if (added.length > 0) await write(db, session, source, added, known, now);
  return { imported: added.length, skipped, rejects: [...rejects, ...refused] };
}

/** Which of these rows are posts already. */
async function findCalls(db: Db, session: ClientSession, calls: readonly string[]): Promise<Set<string>> {
  const found = await posts(db)
    .find({ call: { $in: [...calls] } }, { session, projection: { call: 1 } })
    .toArray();
  return new Set(found.flatMap(({ call }) => call ?? []));
}

type Known = Pick<PersonDocument, '_id' | 'circles' | 'blocked' | 'follower_count' | 'is_pulled'>;

async function findPeople(db: Db, session: ClientSession, ids: readonly string[]): Promise<Map<string, Known>> {
  const found = people(db).find(
    { _id: { $in: [...new Set(ids)] } },
    { session, projection: { circles: 1, 'blocked.id': 1, follower_count: 1, is_pulled: 1 } },
  );
  return new Map(await found.map((person): [string, Known] => [person._id, person]).toArray());
}

/** @throws RowError */
function postOf(
  source: string,
  { by, on, type, text, detail, audience, circles, posted }: PostRow,
  call: string,
  known: ReadonlyMap<string, Known>,
): PostDocument {
  const author = known.get(personIdOf(source, by));
  if (!author) throw new RowError('NO_AUTHOR', 'by');
  const wall = on === undefined ? author : known.get(personIdOf(source, on));
  if (!wall || hasBlocked(author, wall) || hasBlocked(wall, author)) throw new RowError('NO_WALL', 'on');
  return {
    _id: newPostId(author._id, wall._id, posted),
    author_id: author._id,
    wall_id: wall._id,
    type,
    text,
    ...(detail && { detail }),
    audience,
    circle_ids: circles.map((name) => circleOf(author, name)),
    posted,
    way: fanOutWay(author, audience),
    live: true,
    ...(wall !== author && { guest: true }),
    call,
  };
}

const hasBlocked = (one: Known, other: Known): boolean => one.blocked.some(({ id }) => id === other._id);

function circleOf({ circles }: Known, name: string): string {
  const wanted = asCircleName(name);
  const circle = circles.find((each) => asCircleName(each.name) === wanted); // older ones may be stored in another form
  if (!circle) throw new RowError('NO_CIRCLE', 'circles');
  return circle.id;
}

async function write(
  db: Db,
  session: ClientSession,
  source: SourceDocument,
  added: readonly PostDocument[],
  known: ReadonlyMap<string, Known>,
  now: Date,
): Promise<void> {
  await notePosts(db, session, source);
  const pulled = new Set(added.flatMap(({ way, author_id }) => (way === 'READ' ? author_id : [])));
  for (const _id of pulled)
    if (!known.get(_id)?.is_pulled) await people(db).updateOne({ _id }, { $set: { is_pulled: true } }, { session });
  await posts(db).insertMany([...added], { session });
  await deliverImported(db, session, added, now);
}
