/** What a player's client was shown, over all its connections, against what has happened in the rooms. */
import type { Db } from 'mongodb';
import { happeningsAfter, isHeardBy, type OrdinalHappening } from '../../src/models/game/rooms/hearing.js';
import { HAPPENINGS_KEPT, type HappeningKind } from '../../src/models/game/world/happening.js';
import { type LocationDocument, locations } from '../../src/models/game/world/location.js';
import { idOfType } from '../../src/shared/global-id.js';

export interface ShownHappening {
  readonly number: number;
  readonly at: string;
  readonly kind: HappeningKind;
  readonly text: string;
  readonly who: { readonly id: string } | null;
}

/** Numbers that were not shown, between two that were. */
export interface Gap {
  readonly before: ShownHappening;
  readonly after: ShownHappening;
}

/** A message has the last happenings, so most of them come again with the next one. A client shows those with greater numbers. */
export class ShownHappenings {
  readonly #byNumber = new Map<number, ShownHappening>();
  readonly #numbers = new Map<string, number>();
  /** Numbers before which a client that was away too long cannot know what has happened. */
  readonly #afterAbsence = new Set<number>();
  #lastInConnection = 0;
  /** The greatest number. */
  last = 0;
  /** What is wrong, in words. */
  readonly faults: string[] = [];

  connect(): void {
    this.#lastInConnection = 0;
  }

  add(happenings: readonly ShownHappening[]): void {
    const [first, last] = [happenings.at(0)?.number ?? 0, happenings.at(-1)?.number ?? 0];
    if (last < this.#lastInConnection) this.faults.push(`${last} is the last one after ${this.#lastInConnection}`);
    if (first > this.last + 1 && happenings.length >= HAPPENINGS_KEPT) this.#afterAbsence.add(first);
    this.#lastInConnection = last;
    this.last = Math.max(this.last, last);
    for (const [at, happening] of happenings.entries()) {
      if (happening.number <= (happenings[at - 1]?.number ?? 0)) this.faults.push(`${happening.number} comes twice`);
      this.#note(happening);
    }
  }

  /** A number is always the same happening, and a happening has always the same number. */
  #note(happening: ShownHappening): void {
    const { number } = happening;
    const what = JSON.stringify([happening.at, happening.kind, happening.who?.id, happening.text]);
    const known = this.#numbers.get(what);
    if (known !== undefined && known !== number) this.faults.push(`${what} is ${known} and ${number}`);
    if (known === undefined && this.#byNumber.has(number)) this.faults.push(`${number} is also ${what}`);
    this.#numbers.set(what, number);
    this.#byNumber.set(number, happening);
  }

  gaps(): Gap[] {
    const all = [...this.#byNumber.values()].sort((one, other) => one.number - other.number);
    return all.flatMap((after, at) => {
      const before = all[at - 1];
      const isGap = before && after.number > before.number + 1 && !this.#afterAbsence.has(after.number);
      return isGap ? [{ before, after }] : [];
    });
  }
}

const PAUSE_MS = 100; // much less than it takes until a room has forgotten anything

/** All that has happened in each room, also what the room has forgotten. */
export class RoomHistory {
  readonly #db: Db;
  readonly #rooms = new Map<string, Map<number, OrdinalHappening>>();
  #isStopped = false;
  #following: Promise<void> | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  follow(): void {
    this.#following ??= this.#follow();
  }

  /** With what has happened until now. @throws Error a read has failed */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#following;
  }

  async #follow(): Promise<void> {
    for (let isLast = false; !isLast; ) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      isLast = this.#isStopped; // before the read, which then has everything
      await this.#read();
    }
  }

  async #read(): Promise<void> {
    const projection = { happened: 1, happenings: 1 };
    const read = locations(this.#db).find<Pick<LocationDocument, '_id' | 'happened' | 'happenings'>>(
      {},
      { projection },
    );
    for await (const room of read) {
      const known = this.#rooms.get(room._id) ?? new Map<number, OrdinalHappening>();
      for (const happening of happeningsAfter(room)) known.set(happening.ordinal, happening);
      this.#rooms.set(room._id, known);
    }
  }

  /**
   * Whether all that is missing is private to others: it has a number as well. Who is on the way hears the old room until they are in the
   * new one, so that the next thing may be that they come.
   */
  explains({ before, after }: Gap, id: string): boolean {
    const missing = after.number - before.number - 1;
    const isArrival = after.kind === 'CAME' && idOf(after.who) === id;
    return [...this.#rooms.values()].some((room) =>
      [...room.values()].some((happening) => {
        const next = room.get(happening.ordinal + missing + 1);
        const isNext = isArrival || (next !== undefined && isSame(next, after));
        if (!isSame(happening, before) || !isNext) return false;
        return Array.from({ length: missing }, (_, at) => room.get(happening.ordinal + at + 1)).every(
          (between) => between !== undefined && !isHeardBy(id, between),
        );
      }),
    );
  }
}

const isSame = (happening: OrdinalHappening, { at, kind, who }: ShownHappening): boolean =>
  happening.at.getTime() === Date.parse(at) && happening.kind === kind && (happening.who?.id ?? null) === idOf(who);

const idOf = (who: ShownHappening['who']): string | null => who && idOfType('Character', who.id);
