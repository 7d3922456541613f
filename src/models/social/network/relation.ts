/** How people are related to somebody who reads: what the rule of visibility needs to know (`posts/visibility.ts`). */
import type { ClientSession, Db } from 'mongodb';
import { type Followed, type PersonDocument, people, present } from './person.js';

/** A reader with what is known of them. */
export interface Reader {
  /** Null for a visitor. */
  readonly id: string | null;
  /** Whom the reader follows, by id. */
  readonly following: ReadonlyMap<string, Followed>;
  /** Whom the reader has blocked. */
  readonly blocked: ReadonlySet<string>;
  readonly hasJoined: boolean;
}

/** How a person is related to a reader. */
export interface Relation {
  /** The circles of the person that the reader is in. */
  readonly circles: readonly string[];
  /** Whether one of the two has blocked the other. */
  readonly isBlocked: boolean;
}

export const visitorReader: Reader = { id: null, following: new Map(), blocked: new Set(), hasJoined: false };
export const NO_RELATION: Relation = { circles: [], isBlocked: false };

const READER = { following: 1, blocked: 1 } as const;

/** Somebody who has not joined the network reads as a person whom nobody knows. */
export async function findReader(db: Db, id: string | null, session?: ClientSession): Promise<Reader> {
  if (id === null) return visitorReader;
  const found = await people(db).findOne({ _id: id }, { projection: READER, ...(session && { session }) });
  return readerOf(id, found);
}

export const readerOf = (id: string, person: Pick<PersonDocument, 'following' | 'blocked'> | null): Reader => ({
  id,
  following: new Map(person?.following.map((followed) => [followed.id, followed])),
  blocked: new Set(person?.blocked.map((each) => each.id)),
  hasJoined: person !== null,
});

/** What `relationOf` reads of a person. */
export const relationTo = (reader: string) => ({
  following: { $elemMatch: { id: reader } },
  blocked: { $elemMatch: { id: reader } },
});

/** @param person read with the projection `relationTo` of the reader */
export const relationOf = (
  { _id, following, blocked }: Pick<PersonDocument, '_id'> & Partial<Pick<PersonDocument, 'following' | 'blocked'>>,
  reader: Reader,
): Relation => ({
  circles: following?.[0]?.circles ?? [],
  isBlocked: (blocked?.length ?? 0) > 0 || reader.blocked.has(_id),
});

/** The relations of people to a reader, by their ids. Those who have left the network are missing. */
export async function findRelations(
  db: Db,
  reader: Reader,
  ids: Iterable<string>,
  session?: ClientSession,
): Promise<Map<string, Relation>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  // Nobody has a visitor in a circle, or has blocked one.
  const projection = reader.id === null ? { _id: 1 } : relationTo(reader.id);
  const found = people(db).find({ _id: { $in: distinct }, ...present }, { projection, ...(session && { session }) });
  const relations = new Map<string, Relation>();
  for await (const person of found) relations.set(person._id, relationOf(person, reader));
  return relations;
}

/** So many who have blocked a reader are read. */
export const HIDDEN_MAX = 10_000;

/**
 * Whose posts and comments are hidden from a reader: of those whom the reader has blocked, and of those who have blocked the reader. If
 * these are too many to be read, everybody counts as hidden but the reader and whom the reader follows: nobody follows over a block.
 */
export class HiddenPeople {
  /** @param known those who were read @param seen if they are not all: who is surely not among the others */
  constructor(
    readonly known: ReadonlySet<string>,
    readonly seen: ReadonlySet<string> | null = null,
  ) {}

  /** Whether nobody else is hidden than those who are known. */
  get areAll(): boolean {
    return this.seen === null;
  }

  has(id: string): boolean {
    return this.known.has(id) || (this.seen !== null && !this.seen.has(id));
  }

  /** The ids that it holds. */
  get size(): number {
    return this.known.size + (this.seen?.size ?? 0);
  }

  /** Differs where others are hidden. Empty if nobody is. */
  get key(): string {
    if (this.seen) return JSON.stringify({ seen: [...this.seen].sort(), known: [...this.known].sort() });
    return this.known.size === 0 ? '' : JSON.stringify([...this.known].sort());
  }
}

const nobody = new HiddenPeople(new Set());

export async function findHiddenFrom(db: Db, readerId: string | null, session?: ClientSession): Promise<HiddenPeople> {
  if (readerId === null) return nobody;
  const inSession = session ? { session } : {};
  const own = await people(db).findOne({ _id: readerId }, { projection: { 'blocked.id': 1 }, ...inSession });
  const others = await people(db)
    .find({ 'blocked.id': readerId }, { projection: { _id: 1 }, ...inSession })
    .limit(HIDDEN_MAX + 1)
    .toArray();
  const blocked = own?.blocked.map(({ id }) => id) ?? [];
  if (others.length <= HIDDEN_MAX) return new HiddenPeople(new Set([...blocked, ...others.map(({ _id }) => _id)]));
  const known = await people(db).findOne({ _id: readerId }, { projection: { 'following.id': 1 }, ...inSession });
  // Which of them were read says nothing, and may differ each time.
  return new HiddenPeople(new Set(blocked), new Set([readerId, ...(known?.following.map(({ id }) => id) ?? [])]));
}
