/** Circles: made and renamed (`circle-deletion.ts` deletes them). They are part of the person's document, so that any name works, and renaming changes no post. */
import type { Db } from 'mongodb';
import { type Refusal, refuse } from '../../../shared/outcome.js';
import { requireVisible } from '../../../shared/visible-text.js';
import {
  CIRCLES_MAX,
  type Circle,
  type Followed,
  findPerson,
  graphChange,
  newId,
  type PersonDocument,
  people,
} from './person.js';

export type CircleNotFound = Refusal<'CircleNotFound'>;
export type CircleNameTaken = Refusal<'CircleNameTaken', { readonly circle: OwnCircle }>;
export type CirclesFull = Refusal<'CirclesFull'>;
export type ProfileNotFound = Refusal<'ProfileNotFound'>;

/** Somebody in a circle. */
export type Member = Pick<Followed, 'id' | 'since'>;

/** A circle with its owner and the people in it. */
export interface OwnCircle extends Circle {
  readonly owner: string;
  readonly members: readonly Member[];
}

const NAME_LENGTH_MAX = 50;

/** Names that look the same are the same. */
export const asCircleName = (name: string): string => name.normalize('NFC').trim();

/** @throws InputError */
export const requireCircleName = (field: string, name: string): string =>
  requireVisible(field, asCircleName(name), NAME_LENGTH_MAX);

export const circleNotFound = (): CircleNotFound => refuse('CircleNotFound', 'You have no circle with this id');
export const notJoined = (): ProfileNotFound =>
  refuse('ProfileNotFound', 'You have not joined the network yet: save your profile first');

export const asOwnCircle = (
  { _id, following }: Pick<PersonDocument, '_id' | 'following'>,
  { id, name }: Circle,
): OwnCircle => ({
  id,
  name,
  owner: _id,
  members: following.filter(({ circles }) => circles.includes(id)),
});

const names = new Intl.Collator('en', { numeric: true });

/** Of a person, by name: regardless of case, as people sort. */
export async function findCircles(db: Db, owner: string): Promise<OwnCircle[]> {
  const person = await findPerson(db, owner);
  if (!person) return [];
  const circles = person.circles.toSorted((one, other) => names.compare(one.name, other.name));
  return circles.map((circle) => asOwnCircle(person, circle));
}

/** Of a person, in the order of the ids. Null for those that the person does not have. */
export async function findCirclesById(db: Db, owner: string, ids: readonly string[]): Promise<(OwnCircle | null)[]> {
  const person = await people(db).findOne({ _id: owner }, { projection: { circles: 1, following: 1 } });
  const members = new Map(ids.map((id): [string, Member[]] => [id, []]));
  for (const followed of person?.following ?? [])
    for (const circle of followed.circles) members.get(circle)?.push(followed);
  const circles = new Map(person?.circles.map((circle) => [circle.id, circle]));
  return ids.map((id) => {
    const circle = circles.get(id);
    return circle ? { ...circle, owner, members: members.get(id) ?? [] } : null;
  });
}

export async function findCircle(db: Db, owner: string, id: string): Promise<OwnCircle | null> {
  const person = await findPerson(db, owner);
  const circle = person?.circles.find((each) => each.id === id);
  return person && circle ? asOwnCircle(person, circle) : null;
}

const nameTaken = (owner: PersonDocument, name: string): CircleNameTaken | null => {
  const other = owner.circles.find((circle) => circle.name === name);
  return other
    ? refuse('CircleNameTaken', `You have a circle named ${name}`, { circle: asOwnCircle(owner, other) })
    : null;
};

/** @throws InputError */
export async function createCircle(
  db: Db,
  owner: string,
  given: string,
): Promise<OwnCircle | CircleNameTaken | CirclesFull | ProfileNotFound> {
  const name = requireCircleName('name', given);
  const circle = { id: newId(), name };
  const created = await people(db).findOneAndUpdate(
    // Guard: no circle has the name, and there is room for one more.
    { _id: owner, 'circles.name': { $ne: name }, [`circles.${CIRCLES_MAX - 1}`]: { $exists: false } },
    { $push: { circles: circle } },
    { returnDocument: 'after' },
  );
  if (created) return asOwnCircle(created, circle);
  const person = await findPerson(db, owner);
  if (!person) return notJoined();
  return nameTaken(person, name) ?? refuse('CirclesFull', `You have ${CIRCLES_MAX} circles: delete one first`);
}

/** @throws InputError */
export async function renameCircle(
  db: Db,
  owner: string,
  id: string,
  given: string,
): Promise<OwnCircle | CircleNotFound | CircleNameTaken> {
  const name = requireCircleName('name', given);
  const renamed = await people(db).findOneAndUpdate(
    // Guard: the circle is there, and no other one has the name.
    { _id: owner, circles: { $elemMatch: { id }, $not: { $elemMatch: { name, id: { $ne: id } } } } },
    { $set: { 'circles.$[circle].name': name, ...graphChange([], { widens: true }) } },
    { returnDocument: 'after', arrayFilters: [{ 'circle.id': id }] },
  );
  if (renamed) return asOwnCircle(renamed, { id, name });
  const person = await findPerson(db, owner);
  if (!person?.circles.some((circle) => circle.id === id)) return circleNotFound();
  return nameTaken(person, name) ?? circleNotFound();
}
