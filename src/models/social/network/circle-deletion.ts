/**
 * Deleting a circle. The people in it leave in transactions of AT_ONCE, and the circle goes with the last ones: 5,000 at once would be
 * 20,000 writes in one transaction, which any follow or block of one of them would start anew. Each transaction leaves the graph
 * consistent. A process that dies in between leaves the circle with fewer people, who see nothing of it any more; a repetition goes on.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction, inTurn } from '../../../database/index.js';
import { BusyError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { deliverPairs } from '../delivery/delivery.js';
import { type CircleNotFound, circleNotFound } from './circle.js';
import { removeFollowers } from './follower.js';
import { bothWays, followersOf } from './following.js';
import { type Followed, findPerson, graphChange, type PersonDocument, people, RUSH_ATTEMPTS_MAX } from './person.js';

const AT_ONCE = 250;
/** Of several together. Then somebody among them is followed or blocked just now, by another process or in this one. */
const ATTEMPTS_TOGETHER_MAX = 3;
/** Into so many parts: 250 are 50, 10, 2 and then one at a time. */
const PARTS = 5;

interface Deleted {
  readonly owner: string;
  readonly circle: string;
  readonly now: Date;
}

/** GONE: there is no such circle, or no longer. */
type Left = 'SOME' | 'ALL' | 'GONE';

/**
 * Those who are in no other circle are no longer followed.
 * @throws BusyError too many change the same people at once: some may have left already
 */
export async function deleteCircle(
  db: Db,
  owner: string,
  id: string,
  now: Date,
): Promise<{ readonly _id: string } | CircleNotFound> {
  const deleted = { owner, circle: id, now };
  for (let wasThere = false; ; ) {
    const person = await findPerson(db, owner);
    const isThere = person?.circles.some((circle) => circle.id === id) ?? false;
    wasThere ||= isThere;
    const members = person ? membersOf(person, id).map((member) => member.id) : [];
    const left = await leaveTogether(db, deleted, members.slice(0, AT_ONCE));
    if (left === 'GONE' && isThere) continue; // another call was faster, or the snapshot is older than what was read: look again
    if (left === 'GONE' && !wasThere) return circleNotFound();
    if (left !== 'SOME') return { _id: id }; // gone, and it was there: another call was faster
  }
}

const membersOf = ({ following }: PersonDocument, circle: string): Followed[] =>
  following.filter(({ circles }) => circles.includes(circle));

/** In parts, if it is not possible together: so those whom many follow at the moment are left behind alone, and wait for their turns. */
async function leaveTogether(db: Db, deleted: Deleted, members: readonly string[]): Promise<Left> {
  const [one] = members;
  if (one !== undefined && members.length === 1)
    return inTurn(db, followersOf(one), () => leave(db, deleted, members, RUSH_ATTEMPTS_MAX));
  try {
    return await leave(db, deleted, members, members.length === 0 ? RUSH_ATTEMPTS_MAX : ATTEMPTS_TOGETHER_MAX);
  } catch (error) {
    if (!(error instanceof BusyError) || members.length === 0) throw error;
  }
  const size = Math.ceil(members.length / PARTS);
  let left: Left = 'SOME';
  for (let at = 0; left === 'SOME' && at < members.length; at += size)
    left = await leaveTogether(db, deleted, members.slice(at, at + size));
  return left;
}

async function leave(db: Db, deleted: Deleted, members: readonly string[], attemptsMax: number): Promise<Left> {
  const { value } = await inTransaction(
    db,
    commitConcernOf.MAJORITY,
    (session) => leaveIn(db, session, deleted, new Set(members)),
    { attemptsMax },
  );
  if (value === 'SOME') failpoint('social.circle-shrunk');
  return value;
}

/** Guard: the transaction's snapshot. A person who is added to the circle at the same time makes one of the two conflict. */
async function leaveIn(
  db: Db,
  session: ClientSession,
  { owner, circle, now }: Deleted,
  chosen: ReadonlySet<string>,
): Promise<Left> {
  const person = await findPerson(db, owner, session);
  if (!person?.circles.some(({ id }) => id === circle)) return 'GONE';
  const members = membersOf(person, circle);
  const leaving = members.filter(({ id }) => chosen.has(id));
  const isEmptied = leaving.length === members.length;
  const left = person.following.map((followed) =>
    chosen.has(followed.id) ? { ...followed, circles: followed.circles.filter((id) => id !== circle) } : followed,
  );
  const change = {
    ...(isEmptied && { circles: person.circles.filter(({ id }) => id !== circle) }),
    following: left.filter(({ circles }) => circles.length > 0),
    ...graphChange(leaving.map(({ id }) => id)),
  };
  await people(db).updateOne({ _id: owner }, { $set: change }, { session });
  const unfollowed = leaving.filter(({ circles }) => circles.length === 1);
  await removeFollowers(
    db,
    session,
    unfollowed.map(({ id, page }) => ({ person: id, follower: owner, page })),
  );
  const pairs = leaving.flatMap(({ id }) => bothWays(owner, id));
  await deliverPairs(db, session, pairs, now);
  return isEmptied ? 'ALL' : 'SOME';
}
