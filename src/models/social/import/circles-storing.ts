/** Stores a batch of circles with their people: all ties of the batch in one transaction, with the followers and their counts. */
import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import type { RejectedRow, RowsStep } from '../../system/work/data-import.js';
import { deliverPairs, PRIORITY } from '../delivery/delivery.js';
import { addFollowers, type NewFollower } from '../network/follower.js';
import {
  CIRCLES_MAX,
  FOLLOWING_MAX,
  type Followed,
  graphChange,
  newId,
  type PersonDocument,
  people,
} from '../network/person.js';
import { type CircleRow, RowError } from './network-row.js';
import type { Batch } from './row-reading.js';
import { personIdOf, type SourceDocument } from './source.js';

export async function storeCircles(
  db: Db,
  session: ClientSession,
  source: SourceDocument,
  { rows, rejects }: Batch<CircleRow>,
  now: Date,
): Promise<RowsStep> {
  const id = (key: string) => personIdOf(source._id, key);
  const owners = await findOwners(
    db,
    session,
    rows.map(({ row }) => id(row.of)),
  );
  const known = await findKnown(
    db,
    session,
    rows.flatMap(({ row }) => row.members.map(id)),
  );
  const refused: RejectedRow[] = [];
  let [imported, skipped] = [0, 0];
  for (const { row, rejected } of rows) {
    try {
      const owner = owners.get(id(row.of));
      if (!owner) throw new RowError('NO_OWNER', 'of');
      const members = row.members.map(id).filter((member) => owner.mayFollow(known.get(member)));
      const isNew = owner.add(row.name, members);
      const unknown = row.members.findIndex((member) => !owner.mayFollow(known.get(id(member))));
      if (unknown >= 0) throw new RowError('UNKNOWN_MEMBERS', `members.${unknown}`);
      if (isNew) imported += 1;
      else skipped += 1;
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      refused.push(rejected(error));
    }
  }
  await write(db, session, source, [...owners.values()], now);
  const isGoingOn = refused.some(({ reason }) => reason === 'UNKNOWN_MEMBERS'); // such a row is stored in part
  return { imported, skipped, rejects: [...rejects, ...refused], isGoingOn };
}

async function findOwners(db: Db, session: ClientSession, ids: readonly string[]): Promise<Map<string, Owner>> {
  const found = people(db).find(
    { _id: { $in: [...new Set(ids)] } },
    { session, projection: { circles: 1, following: 1, 'blocked.id': 1 } },
  );
  return new Map(await found.map((owner): [string, Owner] => [owner._id, new Owner(owner)]).toArray());
}

type Known = Pick<PersonDocument, '_id' | 'blocked'>;

async function findKnown(db: Db, session: ClientSession, ids: readonly string[]): Promise<Map<string, Known>> {
  const found = people(db).find({ _id: { $in: [...new Set(ids)] } }, { session, projection: { 'blocked.id': 1 } });
  return new Map(await found.map((person): [string, Known] => [person._id, person]).toArray());
}

/** The owner of circles, as the rows of a batch change them. */
class Owner {
  readonly id: string;
  /** Whom the owner follows only from now on, with the ids of the circles. */
  readonly added = new Map<string, string[]>();
  /** Those who were added to any circle. */
  readonly changed = new Set<string>();
  readonly #circles: PersonDocument['circles'];
  readonly #before: ReadonlyMap<string, Followed>;
  /** Of those who were followed before, the circles they are in now, if these are more. */
  readonly #more = new Map<string, string[]>();
  readonly #blocked: ReadonlySet<string>;
  #hasNewCircle = false;

  constructor({ _id, circles, following, blocked }: Pick<PersonDocument, '_id' | 'circles' | 'following' | 'blocked'>) {
    this.id = _id;
    this.#circles = [...circles];
    this.#before = new Map(following.map((followed) => [followed.id, followed]));
    this.#blocked = new Set(blocked.map((each) => each.id));
  }

  mayFollow(person: Known | undefined): boolean {
    if (!person || person._id === this.id || this.#blocked.has(person._id)) return false;
    return !person.blocked.some(({ id }) => id === this.id);
  }

  /** @returns whether anything is new @throws RowError, and then nothing has changed */
  add(name: string, members: readonly string[]): boolean {
    const strangers = members.filter((member) => !this.#before.has(member) && !this.added.has(member));
    if (this.#before.size + this.added.size + strangers.length > FOLLOWING_MAX)
      throw new RowError('TOO_MANY_PEOPLE', 'members');
    const found = this.#circles.find((circle) => circle.name === name);
    if (!found && this.#circles.length >= CIRCLES_MAX) throw new RowError('CIRCLES_FULL');
    const circle = found ?? { id: newId(), name };
    if (!found) {
      this.#circles.push(circle);
      this.#hasNewCircle = true;
    }
    let isNew = !found;
    for (const member of members) {
      const circles = this.#circlesOf(member);
      if (circles.includes(circle.id)) continue;
      circles.push(circle.id);
      this.changed.add(member);
      isNew = true;
    }
    return isNew;
  }

  #circlesOf(member: string): string[] {
    const before = this.#before.get(member);
    const all = before ? this.#more : this.added;
    const circles = all.get(member) ?? [...(before?.circles ?? [])];
    all.set(member, circles);
    return circles;
  }

  /** @param pageOf the page of a person that has the owner as a follower */
  write(pageOf: (person: string) => number, now: Date): AnyBulkWriteOperation<PersonDocument> | null {
    if (this.changed.size === 0 && !this.#hasNewCircle) return null;
    const added = [...this.added].map(([id, circles]) => ({ id, circles, since: now, page: pageOf(id) }));
    const before = [...this.#before.values()].map((followed) => ({
      ...followed,
      circles: this.#more.get(followed.id) ?? followed.circles,
    }));
    // The whole list is only written where somebody in it has changed.
    const isInside = [...this.#more.keys()].some((id) => this.changed.has(id));
    const update = {
      $set: {
        circles: this.#circles,
        ...graphChange([...this.changed], { widens: true }),
        ...(isInside && { following: [...before, ...added] }),
      },
      ...(!isInside && added.length > 0 && { $push: { following: { $each: added } } }),
    };
    return { updateOne: { filter: { _id: this.id }, update } }; // guard: the transaction's snapshot
  }
}

async function write(
  db: Db,
  session: ClientSession,
  source: SourceDocument,
  owners: readonly Owner[],
  now: Date,
): Promise<void> {
  const followers = owners.flatMap(({ id, added }) =>
    [...added.keys()].map((person): NewFollower => ({ person, follower: { id, since: now } })),
  );
  const pages = await addFollowers(db, session, followers);
  const changes = owners.flatMap((owner) => owner.write((person) => pages.pageOf(person, owner.id), now) ?? []);
  if (changes.length > 0) await people(db).bulkWrite(changes, { session });
  if (!source.has_posts) return;
  const pairs = owners.flatMap(({ id, changed }) =>
    [...changed].flatMap((member) => [
      { reader: id, author: member },
      { reader: member, author: id },
    ]),
  );
  await deliverPairs(db, session, pairs, now, PRIORITY.IMPORTED);
}
