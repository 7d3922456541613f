/** Where directions point on a map. */
export type Step = readonly [x: number, y: number];

const steps: Readonly<Record<string, Step>> = {
  north: [0, -1],
  south: [0, 1],
  east: [1, 0],
  west: [-1, 0],
  northeast: [1, -1],
  northwest: [-1, -1],
  southeast: [1, 1],
  southwest: [-1, 1],
  up: [1, -1],
  down: [-1, 1],
};

const opposites: Readonly<Record<string, string>> = {
  north: 'south',
  east: 'west',
  northeast: 'southwest',
  northwest: 'southeast',
  up: 'down',
  in: 'out',
  enter: 'leave',
};

const backs: ReadonlyMap<string, string> = new Map(
  Object.entries(opposites).flatMap(([one, other]) => [
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
export const shortForms: Readonly<Record<string, readonly string[]>> = {
  north: ['n'],
  northeast: ['ne'],
  east: ['e'],
  southeast: ['se'],
  south: ['s'],
  southwest: ['sw'],
  west: ['w'],
  northwest: ['nw'],
  up: ['u'],
  down: ['d'],
};

/** One cell in the direction. Null if it points nowhere on a map, such as `in`. */
export const stepOf = (direction: string): Step | null => steps[direction.toLowerCase()] ?? null;

/** The way back. Null if nobody can tell. */
export const oppositeOf = (direction: string): string | null => backs.get(direction.toLowerCase()) ?? null;

/** The compass direction in which something lies. */
export function directionBetween(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const eighth = Math.round(Math.atan2(to.y - from.y, to.x - from.x) / (Math.PI / 4));
  const around = ['east', 'southeast', 'south', 'southwest', 'west', 'northwest', 'north', 'northeast'];
  return around[(eighth + 8) % 8] ?? 'east';
}
