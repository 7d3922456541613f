/** On which line of a JSON text each of its values begins, so that whoever wrote it finds what is wrong. */

interface Level {
  readonly path: string;
  /** Of a list: the number of the next value. Null for an object. */
  index: number | null;
  /** Of an object: the name of the next value. */
  key: string | null;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|\n|[^\s{}[\],:"]+/g;

/** @param json valid @returns lines, starting at 1, by paths such as `rooms.3.items.0` */
export function linesOf(json: string): Map<string, number> {
  const lines = new Map<string, number>();
  const levels: Level[] = [];
  let line = 1;
  for (const [token] of json.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (token === '\n') line += 1;
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && level?.index !== null && level?.index !== undefined) level.index += 1;
    else if (token === ',' && level) level.key = null;
    else if (token === ':' || token === ',') continue;
    else if (level && level.index === null && level.key === null) level.key = JSON.parse(token) as string;
    else {
      const name = level ? String(level.index ?? level.key) : '';
      const path = level?.path ? `${level.path}.${name}` : name;
      lines.set(path, line);
      if (token === '{') levels.push({ path, index: null, key: null });
      if (token === '[') levels.push({ path, index: 0, key: null });
    }
  }
  return lines;
}
