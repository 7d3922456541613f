/**
 * Blocks. They work in both directions: neither of the two sees what the other posts, and both are removed from each other's circles, in
 * the transaction that stores the block.
 */
import type { ClientSession, Db } from 'mongodb';
import { commitConcernOf, inTransaction, inTurn } from '../../../database/index.js';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { deliverPairs } from '../delivery/delivery.js';
import { notJoined, type ProfileNotFound } from './circle.js';
import { bothWays, followersOf, leaveCircles, profileNotFound, refuseOneself } from './following.js';
import { BLOCKED_MAX, blocksNobody, findLeft, findPerson, graphChange, people, RUSH_ATTEMPTS_MAX } from './person.js';

export type BlocksFull = Refusal<'BlocksFull'>;

type BlockOutcome = { readonly blocked: string } | ProfileNotFound | BlocksFull;

/**
 * Blocking again changes nothing.
 * @returns the id of the person
 * @throws BusyError too many change who follows one of the two at once
 */
export async function blockPerson(db: Db, owner: string, person: string, now: Date): Promise<BlockOutcome> {
  if (owner === person) return refuseOneself('You cannot block yourself');
  // Each of the two may lose a follower. Always in the same order: two who block each other would wait for each other otherwise.
  const [first = owner, second = person] = [owner, person].toSorted();
  return inTurn(db, followersOf(first), () =>
    inTurn(db, followersOf(second), () => blockInTurn(db, owner, person, now)),
  );
}

async function blockInTurn(db: Db, owner: string, person: string, now: Date): Promise<BlockOutcome> {
  const { value } = await inTransaction<BlockOutcome>(
    db,
    commitConcernOf.MAJORITY,
    async (session) => {
      const before = await findPerson(db, owner, session);
      const other = await findPerson(db, person, session);
      if (!before) return notJoined();
      if (!other) return profileNotFound();
      if (before.blocked.some(({ id }) => id === person)) return { blocked: person };
      if (before.blocked.length >= BLOCKED_MAX)
        return refuse('BlocksFull', `You have blocked ${BLOCKED_MAX} people: unblock somebody first`);
      await people(db).updateOne(
        { _id: owner },
        { $push: { blocked: { id: person, at: now } }, $set: graphChange([person]) },
        { session },
      );
      await leaveCircles(db, session, before, person, null);
      await leaveCircles(db, session, other, owner, null);
      // Also written if the other had nothing to leave: a circle that is changed there at the same time conflicts, and so does what the
      // other writes on the wall (`mayWriteOn`).
      await people(db).updateOne({ _id: person }, { $set: graphChange([owner]) }, { session });
      await deliverPairs(db, session, bothWays(owner, person), now);
      return { blocked: person };
    },
    { attemptsMax: RUSH_ATTEMPTS_MAX },
  );
  return value;
}

/**
 * Whether a person may write on the wall of another: both are there, and neither has blocked the other. Call it in the transaction of what
 * is written.
 */
export async function mayWriteOn(db: Db, session: ClientSession, wall: string, guest: string): Promise<boolean> {
  const counted = await people(db).updateOne(
    // Guard: a block writes the documents of both, so that it conflicts here, whoever of the two has blocked the other. Once it is
    // answered, nothing more is committed. The guest's document is written, not the owner's: guests of one wall do not wait for each other.
    blocksNobody(guest, wall),
    { $inc: { guest_writes: 1 } },
    { session },
  );
  if (counted.matchedCount === 0) return false;
  return (await people(db).findOne(blocksNobody(wall, guest), { session, projection: { _id: 1 } })) !== null;
}

/** The circles stay as they are. Unblocking again changes nothing. */
export async function unblockPerson(
  db: Db,
  owner: string,
  person: string,
): Promise<{ readonly blocked: string } | ProfileNotFound> {
  await people(db).updateOne(
    { _id: owner, 'blocked.id': person },
    { $pull: { blocked: { id: person } }, $set: graphChange([person], { widens: true }) },
  );
  return (await findPerson(db, person)) ? { blocked: person } : profileNotFound();
}

/** Whom a person has blocked, the latest first, without those who have left. */
export async function findBlocked(db: Db, owner: string): Promise<string[]> {
  const person = await people(db).findOne({ _id: owner }, { projection: { blocked: 1 } });
  const ids = person?.blocked.map(({ id }) => id).toReversed() ?? [];
  const left = await findLeft(db, ids);
  return ids.filter((id) => !left.has(id));
}
