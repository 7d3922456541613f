/** What the terminal shows: happenings, each once by its number, with what was typed and refused in between. */
import type { HappeningKind } from '../../../generated/graphql.js';
import { isArrivalOf } from './moves.js';
import type { Waiting } from './outbox.js';
import type { Screen } from './types.js';

type Of<Kind extends string, Content> = { readonly id: number; readonly kind: Kind } & Readonly<Content>;

export type Line =
  | Of<
      'happened',
      { number: number; at: string; what: HappeningKind; text: string; who: string | null; isOwn: boolean }
    >
  /** `key` is that of the act. */
  | Of<'typed', { key: string; text: string }>
  | Of<'told', { text: string; suggestions: readonly string[] }>
  | Of<'room', { name: string; description: string; exits: readonly string[]; here: readonly string[] }>
  /** At most so many happenings are lost, because only the last ones are kept. */
  | Of<'lost', { count: number }>;

type NewLine = Line extends infer Each ? (Each extends Line ? Omit<Each, 'id'> : never) : never;

export interface Log {
  readonly lines: readonly Line[];
  /** The id of the next line. */
  readonly next: number;
  /** The number of the last happening that was shown. Null: none of this character's was. */
  readonly shown: number | null;
  /** The room that was described last. */
  readonly roomId: string | null;
}

export const LINES_MAX = 300;
/** Happenings that a screen has at most. */
const KEPT = 100;

export const emptyLog: Log = { lines: [], next: 1, shown: null, roomId: null };

export function add(log: Log, ...added: readonly NewLine[]): Log {
  if (added.length === 0) return log;
  const lines = added.map((line, index) => ({ ...line, id: log.next + index }) as Line);
  return { ...log, lines: [...log.lines, ...lines].slice(-LINES_MAX), next: log.next + added.length };
}

/** Says what was given up because it is too old to be sent. */
export function forget(log: Log, forgotten: readonly Waiting[]): Log {
  const tell = (text: string, some: readonly Waiting[]) => {
    const words = some.flatMap((each) => each.words ?? []).join('; ');
    return words === '' ? [] : [{ kind: 'told', text: `${text}: ${words}`, suggestions: [] } as const];
  };
  return add(
    log,
    ...tell(
      'More than an hour has passed. It is not known whether this was done',
      forgotten.filter(({ isUnsent }) => !isUnsent),
    ),
    ...tell(
      'More than an hour has passed. This was not sent',
      forgotten.filter(({ isUnsent }) => isUnsent),
    ),
  );
}

/** The number of a character's last happening. */
export const lastNumber = ({ happenings }: { readonly happenings: readonly { readonly number: number }[] }): number =>
  happenings.at(-1)?.number ?? 0;

/** Adds what the screen has that the log has not: happenings, what was lost between, the room if it is another one. */
export function hear(log: Log, screen: Screen): Log {
  const isElsewhere = log.roomId !== screen.location.id;
  const fresh = screen.happenings.filter(({ number }) => log.shown === null || number > log.shown);
  const arrival = isElsewhere ? fresh.findLast((each) => isArrivalOf(screen.id, each)) : undefined;
  // Numbers are also left out where only others heard something: nothing is lost as long as the screen reaches back to what was shown.
  const [first] = fresh;
  const lost = log.shown !== null && first && fresh.length >= KEPT ? first.number - log.shown - 1 : 0;
  const heard = add(
    log,
    ...(lost > 0 ? [{ kind: 'lost', count: lost } as const] : []),
    // The description of the room takes the place of “You are here”.
    ...fresh
      .filter((each) => each !== arrival)
      .map(({ number, at, kind, text, who }) => ({
        kind: 'happened' as const,
        number,
        at,
        what: kind,
        text,
        who: who?.name ?? null,
        isOwn: who?.id === screen.id,
      })),
  );
  const known = { ...heard, shown: Math.max(log.shown ?? 0, lastNumber(screen)) };
  return !isElsewhere ? known : { ...describe(known, screen), roomId: screen.location.id };
}

/** Describes the room where the character is. */
function describe(log: Log, { id, location }: Screen): Log {
  const { name, description, exits, players, items } = location;
  const here = [
    ...players.filter((player) => player.id !== id).map((player) => player.name),
    ...items.filter(({ insideId }) => insideId === null).map(({ label }) => label),
  ];
  return add(log, { kind: 'room', name, description, exits: exits.map(({ direction }) => direction), here });
}

/**
 * The log that goes on with what a character's server tells first.
 * @param kept may be of another history, for example because the database was restored from a backup: it starts again
 */
export const resume = (kept: Log, screen: Screen): Log =>
  hear(kept.shown !== null && kept.shown > lastNumber(screen) ? emptyLog : kept, screen);

/** Whether a screen is older than what the log has shown: it has been overtaken on its way. */
export const isOvertaken = ({ shown }: Log, screen: Screen): boolean => shown !== null && lastNumber(screen) < shown;
