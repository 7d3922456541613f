/** What two editors have changed in one room at the same time. */

/** A room as it is edited. */
export interface Draft {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isStart: boolean;
  readonly exits: readonly ExitDraft[];
}

interface ExitDraft {
  direction: string;
  aliases: string[];
  description: string;
  needs: string | null;
  to: string;
}

export interface Merged {
  /** What both have changed is as it was edited here. */
  readonly draft: Draft;
  /** Names of what both have changed, each in another way. */
  readonly clashes: readonly string[];
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Puts what was edited here on top of what somebody else has saved meanwhile.
 * @param base the room as it was when editing began @param draft as it was edited @param stored as it is now
 */
export function mergeRoom(base: Draft, draft: Draft, stored: Draft): Merged {
  if (isSame(base, stored)) return { draft, clashes: [] };
  const clashes: string[] = [];
  const merge = <Value>(name: string, before: Value, edited: Value, now: Value): Value => {
    if (isSame(edited, before)) return now;
    if (!isSame(now, before) && !isSame(now, edited)) clashes.push(name);
    return edited;
  };
  const exit = ({ exits }: Draft, direction: string) => exits.find((each) => each.direction === direction);
  const directions = new Set([...stored.exits, ...draft.exits].map(({ direction }) => direction));
  return {
    draft: {
      key: stored.key,
      name: merge('the name', base.name, draft.name, stored.name),
      description: merge('the description', base.description, draft.description, stored.description),
      isStart: merge('whether characters begin here', base.isStart, draft.isStart, stored.isStart),
      exits: [...directions].flatMap(
        (direction) =>
          merge(`the exit ${direction}`, exit(base, direction), exit(draft, direction), exit(stored, direction)) ?? [],
      ),
    },
    clashes,
  };
}
