/** The map that grows while a character explores, and the map of a whole world. */
import { describe, expect, it } from 'vitest';
import { type ExploredMap, edgesOf, emptyMap, explore, ROOMS_MAX, wayTo } from '../../../web/src/game/map/explored.js';
import { layOut } from '../../../web/src/game/map/layout.js';
import { directionOf } from '../../../web/src/game/screen/exits.js';
import { exit } from './screens.js';

const room = (id: string, ...directions: string[]) => ({
  id,
  name: `The ${id}`,
  exits: directions.map((direction) => ({ direction })),
});
const harbor = room('harbor', 'north', 'in');
const square = room('square', 'south', 'east');
const smithy = room('smithy', 'west');
const walked = [
  [harbor, null],
  [square, 'north'],
  [smithy, 'east'],
] as const;
const map = walked.reduce<ExploredMap>((known, [seen, via]) => explore(known, seen, via), emptyMap);
const cell = (known: ExploredMap, id: string) => ({ x: known.rooms[id]?.x, y: known.rooms[id]?.y });

describe('the explored map', () => {
  it('draws rooms in the direction in which they were found', () => {
    expect(cell(map, 'harbor')).toEqual({ x: 0, y: 0 });
    expect(cell(map, 'square')).toEqual({ x: 0, y: -1 });
    expect(cell(map, 'smithy')).toEqual({ x: 1, y: -1 });
    expect(map.here).toBe('smithy');
  });

  it('knows the exits that nobody went through', () => {
    const open = map.rooms.harbor?.exits.filter(({ to }) => to === null).map(({ direction }) => direction);
    expect(open).toEqual(['in']);
  });

  it('draws both ways as one line', () => {
    expect(edgesOf(map)).toHaveLength(2);
  });

  it('finds the way back, of which only the opposite was gone', () => {
    expect(wayTo(map, 'harbor')).toEqual([
      { direction: 'west', to: 'square' },
      { direction: 'south', to: 'harbor' },
    ]);
    expect(wayTo(map, 'moon')).toBeNull();
    expect(wayTo(map, 'smithy')).toEqual([]);
  });

  it('never draws two rooms in one place', () => {
    const maze = Array.from({ length: 40 }, (_, at) => room(`maze ${at}`, 'north', 'south'));
    const drawn = maze.reduce((known, seen, at) => explore(known, seen, at % 2 ? 'north' : 'south'), emptyMap);
    const cells = Object.values(drawn.rooms).map(({ x, y }) => `${x},${y}`);
    expect(new Set(cells).size).toBe(40);
  });

  it('keeps a room where it is, and does not link it to where nobody came from', () => {
    const moved = explore(map, harbor, null); // put there by hand
    expect(cell(moved, 'harbor')).toEqual({ x: 0, y: 0 });
    expect(moved.rooms.smithy).toEqual(map.rooms.smithy);
    expect(moved.here).toBe('harbor');
  });

  it('is bounded', () => {
    let drawn = emptyMap;
    for (let at = 0; at <= ROOMS_MAX + 5; at += 1) drawn = explore(drawn, room(`r${at}`), null);
    expect(Object.keys(drawn.rooms)).toHaveLength(ROOMS_MAX);
    expect(drawn.rooms[`r${ROOMS_MAX + 5}`]).toBeDefined();
  });
});

describe('the direction of an act', () => {
  const exits = [exit('north', ['n']), exit('in', ['inn', 'crooked lamp'])];
  it('is found in what was chosen or typed', () => {
    expect(directionOf({ do: 'move', direction: 'north' }, exits)).toBe('north');
    expect(directionOf({ do: 'type', text: ' N ' }, exits)).toBe('north');
    expect(directionOf({ do: 'type', text: 'go to the crooked lamp' }, exits)).toBe('in');
    expect(directionOf({ do: 'type', text: 'take lamp' }, exits)).toBeNull();
    expect(directionOf({ do: 'take', itemId: 'lamp' }, exits)).toBeNull();
  });
});

describe('the layout of a world', () => {
  const world = [
    { id: 'a', exits: [{ direction: 'north', toId: 'b' }] },
    { id: 'b', exits: [{ direction: 'east', toId: 'c' }] },
    { id: 'c', exits: [] },
    { id: 'alone', exits: [{ direction: 'up', toId: 'nowhere' }] },
  ];

  it('follows the exits, and draws what does not hang together apart', () => {
    const cells = layOut(world);
    expect([cells.get('a'), cells.get('b'), cells.get('c')]).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: -1 },
      { x: 1, y: -1 },
    ]);
    expect(cells.get('alone')?.y).toBeGreaterThan(0);
  });

  it('leaves rooms where somebody has put them', () => {
    const cells = layOut(world, { b: { x: 7, y: 7 } });
    expect([cells.get('b'), cells.get('c')]).toEqual([
      { x: 7, y: 7 },
      { x: 8, y: 7 },
    ]);
  });
});
