/** Where directions point on a map. */
export type Step = readonly [x: number, y: number];

// Maps, because a direction may be any word, also `constructor`.
const steps: ReadonlyMap<string, Step> = new Map([
  ['north', [0, -1]],
  ['south', [0, 1]],
  ['east', [1, 0]],
  ['west', [-1, 0]],
  ['northeast', [1, -1]],
  ['northwest', [-1, -1]],
  ['southeast', [1, 1]],
  ['southwest', [-1, 1]],
  ['up', [1, -1]],
  ['down', [-1, 1]],
]);

const opposites = [
  ['north', 'south'],
  ['east', 'west'],
  ['northeast', 'southwest'],
  ['northwest', 'southeast'],
  ['up', 'down'],
  ['in', 'out'],
  ['enter', 'leave'],
] as const;

const backs: ReadonlyMap<string, string> = new Map(
  opposites.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);

/** The directions that a form suggests, in the order of a compass. */
export const usualDirections = [
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
  'up',
  'down',
  'in',
  'out',
];

/** The short forms that players type. */
const shortForms: ReadonlyMap<string, string> = new Map([
  ['north', 'n'],
  ['northeast', 'ne'],
  ['east', 'e'],
  ['southeast', 'se'],
  ['south', 's'],
  ['southwest', 'sw'],
  ['west', 'w'],
  ['northwest', 'nw'],
  ['up', 'u'],
  ['down', 'd'],
]);

/** The short form of a direction, if it has one. */
export const shortFormsOf = (direction: string): string[] => {
  const short = shortForms.get(direction.toLowerCase());
  return short === undefined ? [] : [short];
};

/** One cell in the direction. Null if it points nowhere on a map, such as `in`. */
export const stepOf = (direction: string): Step | null => steps.get(direction.toLowerCase()) ?? null;

/** The way back. Null if nobody can tell. */
export const oppositeOf = (direction: string): string | null => backs.get(direction.toLowerCase()) ?? null;

/** The compass direction in which something lies. */
export function directionBetween(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const eighth = Math.round(Math.atan2(to.y - from.y, to.x - from.x) / (Math.PI / 4));
  const around = ['east', 'southeast', 'south', 'southwest', 'west', 'northwest', 'north', 'northeast'];
  return around[(eighth + 8) % 8] ?? 'east';
}
