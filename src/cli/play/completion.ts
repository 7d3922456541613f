/** Completes typed commands, from the commands that the server knows and from what the character sees. */
import type { CommandWord, KnownCommand, Screen, SeenItem } from './documents.js';

/** @param goods what the shopkeepers in the room sell @returns whole lines that begin with this one, each once */
export function completionsOf(
  line: string,
  commands: readonly KnownCommand[],
  screen: Screen,
  goods: readonly SeenItem[] = [],
): string[] {
  const typed = line.toLowerCase();
  const found = new Set<string>();
  for (const direction of namesOf('DIRECTION', screen, goods))
    if (direction.toLowerCase().startsWith(typed)) found.add(direction);
  for (const { verb, aliases, parts } of commands)
    for (const word of [verb, ...aliases]) {
      if (word.startsWith(typed)) found.add(parts.length > 0 ? `${word} ` : word);
      else if (typed.startsWith(`${word} `))
        completeParts(line.slice(0, word.length + 1), line.slice(word.length + 1), parts);
    }
  return [...found].sort();

  /** @param before what is complete @param rest what follows it, with the parts that it may be */
  function completeParts(before: string, rest: string, [part, ...later]: readonly CommandWord[]): void {
    if (!part || part.part === 'TEXT') return;
    const names = namesOf(part.part, screen, goods);
    const isBehindWord = part.after.length > 0;
    const starts = isBehindWord ? part.after.map((word) => `${word} `) : [''];
    for (const start of starts) {
      if (start.startsWith(rest.toLowerCase()) && start !== rest.toLowerCase()) {
        found.add(`${before}${start}`);
        continue;
      }
      if (!rest.toLowerCase().startsWith(start)) continue;
      const article = /^(?:the|an?) /i.exec(rest.slice(start.length))?.[0] ?? '';
      const head = `${before}${rest.slice(0, start.length)}${article}`;
      const tail = rest.slice(start.length + article.length);
      for (const name of names) {
        if (name.toLowerCase().startsWith(tail.toLowerCase()))
          found.add(`${head}${name}${later.length > 0 ? ' ' : ''}`);
        const isWhole = tail.toLowerCase().startsWith(`${name.toLowerCase()} `);
        if (isWhole) completeParts(`${head}${tail.slice(0, name.length + 1)}`, tail.slice(name.length + 1), later);
      }
    }
  }
}

function namesOf(part: string, screen: Screen, goods: readonly SeenItem[]): string[] {
  const { location, inventory } = screen;
  const here = [...location.items, ...inventory];
  const named = (items: readonly SeenItem[]) => items.map(({ name }) => name);
  const others = location.players.filter(({ id }) => id !== screen.id);
  switch (part) {
    case 'ITEM_IN_ROOM':
      return named(location.items);
    case 'ITEM_CARRIED':
      return named(inventory);
    case 'ITEM_TO_SELL':
      return named(inventory.filter(({ price }) => price !== null));
    case 'ITEM_INSIDE':
      return named(here.filter(({ insideId }) => insideId !== null));
    case 'ITEM_SEEN':
      return [...named(here), ...others.map(({ name }) => name)];
    case 'ITEM_FOR_SALE':
      return named(goods);
    case 'CONTAINER':
      return named(here.filter(({ kind }) => kind === 'CONTAINER'));
    case 'SOMEBODY':
      return others.map(({ name }) => name);
    case 'SHOPKEEPER':
      return others.filter(({ role }) => role === 'SHOPKEEPER').map(({ name }) => name);
    case 'DIRECTION':
      return location.exits.map(({ direction }) => direction);
    default:
      return [];
  }
}
