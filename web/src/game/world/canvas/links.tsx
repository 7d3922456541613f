/** The exits as lines: one for both ways, with an arrow if there is only one way. */
import { memo, useMemo } from 'react';
import { BOX, type Point, pointOf } from '../../map/grid.js';
import type { Cell } from '../../map/place.js';
import type { WorldExit, WorldRoom } from '../data/world.js';
import { type Bend, bendOf, roomFinder, wayOf } from './bend.js';
import styles from './world-canvas.module.css';

interface Link {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** From `from` to `to`. */
  readonly there: readonly WorldExit[];
  readonly back: readonly WorldExit[];
}

interface LinksProps {
  readonly rooms: readonly WorldRoom[];
  /** Where rooms are, but for one that is being moved. */
  readonly cells: ReadonlyMap<string, Cell>;
  readonly at: (id: string) => Point;
  /** The room that is being moved: its lines are straight until it is put down. */
  readonly moved: string | null;
  readonly chosen: string | null;
}

export const Links = memo(function Links({ rooms, cells, at, moved, chosen }: LinksProps) {
  const links = useMemo(() => linksOf(rooms), [rooms]);
  const bends = useMemo(() => bendsOf(links, cells), [links, cells]);
  return links.map((link) => {
    const isMoved = moved === link.from || moved === link.to;
    const bend = isMoved ? null : (bends.get(link.key) ?? null);
    return <LinkLine key={link.key} link={link} from={at(link.from)} to={at(link.to)} bend={bend} chosen={chosen} />;
  });
});

function bendsOf(links: readonly Link[], cells: ReadonlyMap<string, Cell>): ReadonlyMap<string, Bend | null> {
  const roomAt = roomFinder(cells);
  return new Map(
    links.map(({ key, from, to }) => {
      const [one, other] = [cells.get(from), cells.get(to)];
      const isFree = (point: Point) => [undefined, from, to].includes(roomAt(point));
      return [key, one && other ? bendOf(pointOf(one), pointOf(other), isFree) : null];
    }),
  );
}

function linksOf(rooms: readonly WorldRoom[]): readonly Link[] {
  const known = new Set(rooms.map(({ id }) => id));
  const links = new Map<string, { from: string; to: string; there: WorldExit[]; back: WorldExit[] }>();
  for (const room of rooms)
    for (const exit of room.exits) {
      const to = exit.toId ?? '';
      if (!known.has(to) || to === room.id) continue;
      const key = [room.id, to].toSorted().join(' ');
      const link = links.get(key) ?? { from: room.id, to, there: [], back: [] };
      (link.from === room.id ? link.there : link.back).push(exit);
      links.set(key, link);
    }
  return [...links].map(([key, link]) => ({ key, ...link }));
}

interface LinkLineProps {
  readonly link: Link;
  readonly from: Point;
  readonly to: Point;
  /** Null: it is straight. */
  readonly bend: Bend | null;
  readonly chosen: string | null;
}

function LinkLine({ link: { from, to, there, back }, from: a, to: b, bend, chosen }: LinkLineProps) {
  const needs = [...there, ...back].some(({ needsKey }) => needsKey);
  const outgoing = chosen === from ? there : chosen === to ? back : [];
  const [here, next] = chosen === from ? [a, bend?.[0] ?? b] : [b, bend?.[1] ?? a];
  const isOneWay = back.length === 0;
  const before = bend?.[1] ?? a;
  const tip = edgePoint(before, b);
  const angle = (Math.atan2(b.y - before.y, b.x - before.x) * 180) / Math.PI;
  return (
    <g data-chosen={chosen === from || chosen === to} className={styles.link}>
      <path className={styles.way} d={wayOf(a, b, bend)} data-needs={needs} />
      {isOneWay && <path d="M0 0-10-5-10 5Z" transform={`translate(${tip.x} ${tip.y}) rotate(${angle})`} />}
      {outgoing.length > 0 && (
        <text {...labelPoint(here, next)} dy="-4" textAnchor="middle">
          {outgoing.map(({ direction }) => direction).join(', ')}
        </text>
      )}
    </g>
  );
}

const LABEL_PX = 20;

/** Beside the box of `a`, on the line to `b`. */
function labelPoint(a: Point, b: Point): Point {
  const { x, y } = edgePoint(b, a);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: x + ((b.x - a.x) / length) * LABEL_PX, y: y + ((b.y - a.y) / length) * LABEL_PX };
}

/** Where a line from `a` meets the box of `b`. */
function edgePoint(a: Point, b: Point): Point {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const share = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : BOX.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : BOX.height / 2 / Math.abs(dy),
    1,
  );
  return { x: b.x - dx * share, y: b.y - dy * share };
}
