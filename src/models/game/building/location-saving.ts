/** Saving locations by key. Who and what is in them stays. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from 'mongodb';
import { isDuplicateKey } from '../../../database/index.js';
import { allRejected, checkEach, type RejectedItem } from '../../../shared/bulk-items.js';
import { BusyError, InputError } from '../../../shared/errors.js';
import { failpoint } from '../../../shared/failpoint.js';
import { requireVisible } from '../../../shared/visible-text.js';
import { inTime, turnUntil } from '../acts/turn.js';
import { isWholeCommand } from '../commands/command.js';
import { changeOf } from '../world/change.js';
import { items } from '../world/item.js';
import { type Exit, findLocation, type LocationDocument, locations } from '../world/location.js';
import { markStart } from '../world/world.js';
import { requireAtMost, requireDescription, requireKey } from './key.js';

export interface LocationInput {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly exits: readonly ExitInput[];
  readonly isStart: boolean;
  readonly before?: Before | null | undefined;
}

/** As it was read: it is saved only if it still is like this. */
type Before = Pick<LocationInput, 'name' | 'description' | 'exits'>;

interface ExitInput {
  readonly direction: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly needs?: string | null | undefined;
  readonly to: string;
}

/** How one call saves. */
export interface Saving {
  readonly call: string;
  /** Asked for each row: the turn of one must not have ended because those before it were slow. */
  readonly now: () => Date;
  readonly changed: (room: string) => void;
}

export interface SavedWorld {
  readonly saved: number;
  readonly rejected: readonly RejectedItem[];
}

const NAME_MAX = 100;
const DESCRIPTION_MAX = 5000;
const EXITS_MAX = 50;
const ALIASES_MAX = 20;
const DIRECTION_MAX = 30;
const EXIT_DESCRIPTION_MAX = 500;
const ATTEMPTS_MAX = 3; // each is in time unless the process stands still

type Details = Pick<LocationDocument, '_id' | 'name' | 'description' | 'exits'> & { readonly isStart: boolean };

/** @throws LimitError more than 500 */
export async function saveLocations(db: Db, inputs: readonly LocationInput[], saving: Saving): Promise<SavedWorld> {
  requireAtMost(inputs.length);
  const checked = checkEach(inputs, (input, index) => ({
    ...requireLocation(input, `locations[${index}]`),
    before: input.before ?? null,
  }));
  const { kept, rejected } = await withKnownExits(db, checked.accepted);
  const names = await findNames(
    db,
    kept.flatMap(({ exits }) => exits.flatMap(({ needs }) => needs ?? [])),
  );
  for (const given of kept) {
    const { isStart, before, ...details } = given;
    const exits = details.exits.map((exit) => ({ ...exit, needs_name: exit.needs && (names.get(exit.needs) ?? null) }));
    const outcome = await saveLocation(db, { ...details, exits }, before, saving);
    if (outcome === 'OVERTAKEN') {
      rejected.push({ index: checked.accepted.indexOf(given), code: 'CONFLICT', message: OVERTAKEN });
      continue;
    }
    if (outcome === 'CHANGED') saving.changed(details._id);
    failpoint('game.location-saved');
    if (isStart) await markStart(db, details._id);
    failpoint('game.start-marked');
  }
  return { saved: checked.accepted.length - rejected.length, rejected: allRejected(checked, rejected) };
}

/** @throws InputError */
export function requireLocation({ key, name, description, exits, isStart }: LocationInput, field: string): Details {
  if (exits.length > EXITS_MAX) throw new InputError(`${field}.exits`, `must be at most ${EXITS_MAX}`);
  const made = exits.map((exit, index) => toExit(exit, `${field}.exits[${index}]`));
  const words = made.flatMap(({ direction, aliases }) => [direction, ...aliases]);
  const double = words.find((word, index) => words.indexOf(word) !== index);
  if (double !== undefined) throw new InputError(`${field}.exits`, `must not have ${double} twice`);
  return {
    _id: requireKey(`${field}.key`, key),
    name: requireVisible(`${field}.name`, name, NAME_MAX),
    description: requireDescription(`${field}.description`, description, DESCRIPTION_MAX),
    exits: made,
    isStart,
  };
}

/** As commands are read: in lower case, with single spaces. @throws InputError */
function requireDirection(field: string, word: string): string {
  const direction = requireVisible(field, word, DIRECTION_MAX).toLowerCase().replace(/\s+/g, ' ');
  if (isWholeCommand(direction)) throw new InputError(field, `must not be a command: ${direction}`);
  return direction;
}

/** @throws InputError */
function toExit({ direction, aliases, description, needs, to }: ExitInput, field: string): Exit {
  if (aliases.length > ALIASES_MAX) throw new InputError(`${field}.aliases`, `must be at most ${ALIASES_MAX}`);
  return {
    direction: requireDirection(`${field}.direction`, direction),
    aliases: aliases.map((word) => requireDirection(`${field}.aliases`, word)),
    description: requireDescription(`${field}.description`, description, EXIT_DESCRIPTION_MAX),
    needs: needs ? requireKey(`${field}.needs`, needs) : null,
    needs_name: null,
    to: requireKey(`${field}.to`, to),
  };
}

/** Rejects those with exits to locations that neither exist nor are saved now, again and again, because each may lead to another one. */
async function withKnownExits<Given extends Details & { readonly before: Before | null }>(
  db: Db,
  given: readonly Given[],
): Promise<{ readonly kept: readonly Given[]; readonly rejected: RejectedItem[] }> {
  const targets = [...new Set(given.flatMap(({ exits }) => exits.map(({ to }) => to)))];
  const stored = await locations(db)
    .find({ _id: { $in: targets } }, { projection: { _id: 1 } })
    .toArray();
  const added = given.filter(({ before }) => !before); // one that was drawn from what is there adds nothing
  const known = new Set([...stored, ...added].map(({ _id }) => _id));
  const isStored = new Set(stored.map(({ _id }) => _id));
  const rejected: RejectedItem[] = [];
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const [index, { _id, exits }] of given.entries()) {
      const lost = exits.find(({ to }) => !known.has(to));
      if (!lost || rejected.some((each) => each.index === index)) continue;
      rejected.push({
        index,
        code: 'BAD_USER_INPUT',
        message: `The exit ${lost.direction} leads to ${lost.to}, which is no location`,
      });
      if (!isStored.has(_id)) known.delete(_id);
      isStable = false;
    }
  }
  return { kept: given.filter((_details, index) => !rejected.some((each) => each.index === index)), rejected };
}

async function findNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = items(db).find({ _id: { $in: [...new Set(ids)] } }, { projection: { name: 1 } });
  return new Map((await found.toArray()).map(({ _id, name }) => [_id, name]));
}

const OVERTAKEN = 'Somebody else has saved the location meanwhile';

async function saveLocation(
  db: Db,
  { _id, ...details }: Pick<LocationDocument, '_id' | 'name' | 'description' | 'exits'>,
  before: Before | null,
  { call, now }: Saving,
): Promise<'CHANGED' | 'SAME' | 'OVERTAKEN'> {
  const known = await findLocation(db, _id);
  if (!known) {
    if (before) return 'OVERTAKEN'; // it is gone, or was never there
    const made = { _id, ...details, players: [], inventory: [], version: 1, happened: 0, happenings: [], transits: [] };
    return (await insertIfNew(db, made)) ? 'CHANGED' : 'SAME';
  }
  const { name, description, exits } = known;
  const read = { name, description, exits };
  if (isDeepStrictEqual(read, details)) return 'SAME';
  if (before && !isDeepStrictEqual(asCompared(read), asCompared(before))) return 'OVERTAKEN';
  const text = 'Something has changed here.';
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const at = now();
    const happening = { call: `${call}/${_id}`, at, kind: 'CHANGED' as const, who: null, text, own: text };
    const { matchedCount } = await locations(db).updateOne(
      // Guard: it is told when it happens. Of several calls, the last one wins, unless it asks that nobody has saved the location since.
      { _id, ...(before && read), $expr: inTime({ until: turnUntil(at) }) },
      { $set: details, ...changeOf({ at }, happening) },
    );
    if (matchedCount === 1) return 'CHANGED';
  }
  if (before) return 'OVERTAKEN';
  throw new BusyError('The location could not be saved in time');
}

/** Without the names of items, which follow the items. */
const asCompared = ({ name, description, exits }: Before): Before => ({
  name,
  description,
  exits: exits.map((exit) => {
    const { direction, aliases, needs, to } = exit;
    return { direction, aliases, description: exit.description, needs: needs ?? null, to };
  }),
});

/** @returns false if another call was faster: then that one's details count, as if this one had come before */
async function insertIfNew(db: Db, made: LocationDocument): Promise<boolean> {
  try {
    await locations(db).insertOne(made);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
