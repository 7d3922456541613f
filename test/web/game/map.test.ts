/** The map that grows while a character explores, and the map of a whole world. */
import { describe, expect, it } from 'vitest';
import {
  type ExploredMap,
  edgesOf,
  emptyMap,
  explore,
  type Move,
  ROOMS_MAX,
  type SeenRoom,
  wayTo,
} from '../../../web/src/game/map/explored.js';
import { layOut } from '../../../web/src/game/map/layout.js';
import { movesOf } from '../../../web/src/game/screen/moves.js';
import { happening, screenOf } from './screens.js';

const room = (id: string, ...directions: string[]) => ({
  id,
  name: `The ${id}`,
  exits: directions.map((direction) => ({ direction })),
});
const harbor = room('harbor', 'north', 'in');
const square = room('square', 'south', 'east');
const smithy = room('smithy', 'west');
const through = (direction: string, { name }: SeenRoom): readonly Move[] => [{ direction, name }];
const walked = [
  [harbor, null],
  [square, 'north'],
  [smithy, 'east'],
] as const;
const map = walked.reduce<ExploredMap>(
  (known, [seen, via]) => explore(known, seen, via === null ? [] : through(via, seen)),
  emptyMap,
);
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
    const drawn = maze.reduce(
      (known, seen, at) => explore(known, seen, through(at % 2 ? 'north' : 'south', seen)),
      emptyMap,
    );
    const cells = Object.values(drawn.rooms).map(({ x, y }) => `${x},${y}`);
    expect(new Set(cells).size).toBe(40);
  });

  it('takes exits with the names of members of objects as any others', () => {
    for (const word of ['constructor', '__proto__', 'toString'])
      expect(
        explore(explore(emptyMap, room('a', word), []), room('b', word), through(word, room('b'))).rooms.a?.exits,
      ).toEqual([{ direction: word, to: 'b' }]);
  });

  it('keeps a room where it is, and does not link it to where nobody came from', () => {
    const moved = explore(map, harbor, []); // put there by hand
    expect(cell(moved, 'harbor')).toEqual({ x: 0, y: 0 });
    expect(moved.rooms.smithy).toEqual(map.rooms.smithy);
    expect(moved.here).toBe('harbor');
  });

  it('is bounded', () => {
    let drawn = emptyMap;
    for (let at = 0; at <= ROOMS_MAX + 5; at += 1) drawn = explore(drawn, room(`r${at}`), []);
    expect(Object.keys(drawn.rooms)).toHaveLength(ROOMS_MAX);
    expect(drawn.rooms[`r${ROOMS_MAX + 5}`]).toBeDefined();
  });
});

describe('the moves of a character', () => {
  const mira = { id: 'mira', name: 'Mira' };
  const left = (number: number, direction: string) =>
    happening(number, { kind: 'LEFT', text: `You go ${direction}.`, who: mira });
  const came = (number: number, text: string) => happening(number, { kind: 'CAME', text, who: mira });
  const happenings = [
    left(1, 'south'),
    came(2, 'You are here: The harbor.'),
    happening(3, { kind: 'LEFT', text: 'Tim goes in.', who: { id: 'tim', name: 'Tim' } }),
    left(4, 'in'),
    came(5, 'You come back.'),
    left(6, 'crooked path'),
    came(7, 'You are here: The inn.'),
  ];

  it('are what its own happenings tell, without those that led back', () => {
    expect(movesOf(screenOf({ happenings }), 0)).toEqual([
      { direction: 'south', name: 'The harbor' },
      { direction: 'crooked path', name: 'The inn' },
    ]);
    expect(movesOf(screenOf({ happenings }), 2)).toEqual([{ direction: 'crooked path', name: 'The inn' }]);
    expect(movesOf(screenOf({ happenings }), 7)).toEqual([]);
  });

  it('are linked to the room where the last one began, also if nobody saw it in between', () => {
    const before = explore(map, square, through('west', square));
    const moves = [...through('south', harbor), ...through('in', room('inn'))];
    const after = explore(before, room('inn'), moves);
    expect(after.rooms.harbor?.exits).toContainEqual({ direction: 'in', to: 'inn' });
    expect(after.rooms.square).toEqual(before.rooms.square);
  });

  it('are not linked where a guessed way back led elsewhere', () => {
    const before = explore(map, square, through('west', square));
    const moves = [...through('south', room('swamp')), ...through('in', room('inn'))];
    const after = explore(before, room('inn'), moves);
    expect(after.rooms.harbor).toEqual(before.rooms.harbor);
    expect(after.rooms.square).toEqual(before.rooms.square);
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
    expect(cells.get('alone')).toEqual({ x: 3, y: -1 });
  });

  it('draws many parts beside each other, not in one column', () => {
    const parts = Array.from({ length: 25 }, (_, at) => ({ id: `part ${at}`, exits: [] }));
    const cells = [...layOut([...world, ...parts]).values()];
    const span = (of: number[]) => Math.max(...of) - Math.min(...of) + 1;
    expect(new Set(cells.map(({ x, y }) => `${x},${y}`)).size).toBe(world.length + 25);
    expect(span(cells.map(({ x }) => x))).toBeLessThan(14);
    expect(span(cells.map(({ y }) => y))).toBeLessThan(14);
  });

  it('draws a room from which one only comes beside the one where it leads', () => {
    const cells = layOut([...world, { id: 'chute', exits: [{ direction: 'east', toId: 'a' }] }]);
    expect(cells.get('chute')).toEqual({ x: -1, y: 0 });
    expect(cells.get('b')).toEqual({ x: 0, y: -1 });
  });

  it('moves only one part when a room of it was moved by hand', () => {
    const cells = layOut(world);
    const moved = layOut(world, { c: { x: 9, y: 9 } });
    for (const id of ['a', 'b', 'alone']) expect(moved.get(id)).toEqual(cells.get(id));
  });

  it('leaves rooms where somebody has put them', () => {
    const cells = layOut(world, { b: { x: 7, y: 7 } });
    expect([cells.get('b'), cells.get('c')]).toEqual([
      { x: 7, y: 7 },
      { x: 8, y: 7 },
    ]);
  });
});
