/** Which exit is meant. */
import type { Act } from './act.js';
import type { Exit } from './types.js';

type Ways = readonly Pick<Exit, 'direction' | 'aliases'>[];

/** The direction of the exit that an act goes through, or null if it goes through none of these. */
export function directionOf(act: Act | null, exits: Ways): string | null {
  if (act?.do === 'move') return find(exits, act.direction);
  if (act?.do !== 'type') return null;
  const words = act.text.trim();
  const [, rest = ''] = /^\S+\s+(.*)$/.exec(words) ?? []; // `go north`
  return find(exits, words) ?? find(exits, rest);
}

function find(exits: Ways, word: string): string | null {
  const wanted = word
    .trim()
    .toLowerCase()
    .replace(/^(?:to )?(?:the )?/, '');
  const found = exits.find(({ direction, aliases }) =>
    [direction, ...aliases].some((each) => each.toLowerCase() === wanted),
  );
  return found?.direction ?? null;
}
