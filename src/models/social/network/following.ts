/** People in circles: added and removed. Somebody in any circle is followed. */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction, inTurn } from '../../../database/index.js';
import { refuse } from '../../../shared/outcome.js';
import { deliverPairs } from '../delivery/delivery.js';
import {
  asOwnCircle,
  type CircleNotFound,
  type CirclesFull,
  circleNotFound,
  type OwnCircle,
  type ProfileNotFound,
} from './circle.js';
import { addFollower, removeFollowers } from './follower.js';
import { FOLLOWING_MAX, findPerson, graphChange, type PersonDocument, people, RUSH_ATTEMPTS_MAX } from './person.js';

export interface CircleMember {
  readonly owner: string;
  readonly circle: string;
  readonly person: string;
}

export const profileNotFound = (): ProfileNotFound =>
  refuse('ProfileNotFound', 'Nobody in the network has this id, or one of you has blocked the other');

export const refuseOneself = (message: string): ProfileNotFound => refuse('ProfileNotFound', message);

type ChangeOutcome = OwnCircle | CircleNotFound | ProfileNotFound | CirclesFull;

/** The turn of those who change who follows a person. */
export const followersOf = (person: string): string => `followers/${person}`;

/** Adding again changes nothing. @throws BusyError too many change who follows the person at once */
export function addToCircle(db: Db, member: CircleMember, now: Date): Promise<ChangeOutcome> {
  return inTurn(db, followersOf(member.person), () => addInTurn(db, member, now));
}

async function addInTurn(db: Db, member: CircleMember, now: Date): Promise<ChangeOutcome> {
  const { owner, circle: id, person } = member;
  const { value } = await inTransaction<ChangeOutcome>(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const before = await findPerson(db, owner, session);
      const circle = before?.circles.find((each) => each.id === id);
      if (!before || !circle) return circleNotFound();
      if (person === owner) return refuseOneself('You cannot put yourself into a circle');
      if (before.blocked.some((blocked) => blocked.id === person)) return profileNotFound();
      const known = before.following.find((followed) => followed.id === person);
      if (known?.circles.includes(id)) return asOwnCircle(before, circle);
      if (!known && before.following.length >= FOLLOWING_MAX)
        return refuse('CirclesFull', `Your circles hold ${FOLLOWING_MAX} people: remove somebody first`);
      const after = known ? await addCircle(db, session, member) : await follow(db, session, member, now);
      if (!after) return profileNotFound();
      await deliverPairs(db, session, bothWays(owner, person), now);
      return asOwnCircle(after, circle);
    },
    { retryDuplicateKeys: true, attemptsMax: RUSH_ATTEMPTS_MAX }, // of two first followers, both create the page
  );
  return value;
}

export const bothWays = (one: string, other: string) => [
  { reader: one, author: other },
  { reader: other, author: one },
];

/** Guard of both updates: the transaction's snapshot, in which the circle was there and the person was not in it. */
const addCircle = (
  db: Db,
  session: ClientSession,
  { owner, circle, person }: CircleMember,
): Promise<PersonDocument | null> =>
  people(db).findOneAndUpdate(
    { _id: owner },
    { $addToSet: { 'following.$[followed].circles': circle }, $set: graphChange([person], { widens: true }) },
    { session, returnDocument: 'after', arrayFilters: [{ 'followed.id': person }] },
  );

async function follow(
  db: Db,
  session: ClientSession,
  { owner, circle, person }: CircleMember,
  now: Date,
): Promise<PersonDocument | null> {
  const page = await addFollower(db, session, person, { id: owner, since: now });
  if (page === null) return null;
  return people(db).findOneAndUpdate(
    { _id: owner },
    {
      $push: { following: { id: person, circles: [circle], since: now, page } },
      $set: graphChange([person], { widens: true }),
    },
    { session, returnDocument: 'after' },
  );
}

/** Removing again changes nothing. @throws BusyError too many change who follows the person at once */
export function removeFromCircle(db: Db, member: CircleMember, now: Date): Promise<OwnCircle | CircleNotFound> {
  return inTurn(db, followersOf(member.person), () => removeInTurn(db, member, now));
}

async function removeInTurn(
  db: Db,
  { owner, circle: id, person }: CircleMember,
  now: Date,
): Promise<OwnCircle | CircleNotFound> {
  const { value } = await inTransaction<OwnCircle | CircleNotFound>(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const before = await findPerson(db, owner, session);
      const circle = before?.circles.find((each) => each.id === id);
      if (!before || !circle) return circleNotFound();
      const known = before.following.find((followed) => followed.id === person);
      if (!known?.circles.includes(id)) return asOwnCircle(before, circle);
      const after = await leaveCircles(db, session, before, person, [id]);
      await deliverPairs(db, session, bothWays(owner, person), now);
      return asOwnCircle(after, circle);
    },
    { attemptsMax: RUSH_ATTEMPTS_MAX },
  );
  return value;
}

/**
 * Takes a person out of some circles, in a transaction in which the owner's document was read.
 * @param circles null: out of all
 */
export async function leaveCircles(
  db: Db,
  session: ClientSession,
  owner: PersonDocument,
  person: string,
  circles: readonly string[] | null,
): Promise<PersonDocument> {
  const known = owner.following.find((followed) => followed.id === person);
  if (!known) return owner;
  const left = circles === null ? [] : known.circles.filter((circle) => !circles.includes(circle));
  const change =
    left.length > 0
      ? { $set: { 'following.$[followed].circles': left, ...graphChange([person]) } }
      : { $pull: { following: { id: person } }, $set: graphChange([person]) };
  const after = await people(db).findOneAndUpdate({ _id: owner._id }, change, {
    session,
    returnDocument: 'after',
    ...(left.length > 0 && { arrayFilters: [{ 'followed.id': person }] }),
  });
  if (left.length === 0) await removeFollowers(db, session, [{ person, follower: owner._id, page: known.page }]);
  return after ?? owner;
}
