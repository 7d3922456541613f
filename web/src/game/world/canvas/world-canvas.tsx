/** The world as a drawing: rooms to choose and move, exits to draw from one room to another. */
import { type PointerEvent, useMemo, useState } from 'react';
import { Icon } from '../../../kit/display/icon.js';
import { cellAt, type Point, pointOf } from '../../map/grid.js';
import { layOut } from '../../map/layout.js';
import { type Cell, cellKey } from '../../map/place.js';
import { useView } from '../../map/use-view.js';
import type { Crowd } from '../data/crowds.js';
import type { WorldRoom } from '../data/world.js';
import { useCells } from './cells.js';
import { followPress } from './follow-press.js';
import { Links } from './links.js';
import { RoomBox } from './room-box.js';
import { useFraming } from './use-framing.js';
import styles from './world-canvas.module.css';

interface WorldCanvasProps {
  readonly rooms: readonly WorldRoom[];
  readonly crowds: ReadonlyMap<string, Crowd>;
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  /** An exit was drawn to another room. @param direction in which it lies */
  readonly onLink: (from: WorldRoom, to: WorldRoom, cells: readonly [Cell, Cell]) => void;
  /** An exit was drawn to where no room is. */
  readonly onLinkNew: (from: WorldRoom, cells: readonly [Cell, Cell]) => void;
}

const FIRST_VIEW = { x: 0, y: 0, scale: 0.8 };
const ZOOM = 1.3;

/** What is being dragged. */
type Drag = { readonly what: 'room' | 'exit'; readonly room: WorldRoom; readonly to: Point };

export function WorldCanvas({ rooms, crowds, chosen, onChoose, onLink, onLinkNew }: WorldCanvasProps) {
  const [fixed, setFixed] = useCells();
  const cells = useMemo(() => layOut(rooms, fixed), [rooms, fixed]);
  const { ref, transform, drag: panning, zoom, show, pointAt, size } = useView(FIRST_VIEW);
  const [drag, setDrag] = useState<Drag | null>(null);
  const { hasMoved, ...listeners } = panning;
  const byId = useMemo(() => new Map(rooms.map((room) => [room.id, room])), [rooms]);
  const at = (id: string): Point =>
    drag?.what === 'room' && drag.room.id === id ? drag.to : pointOf(cells.get(id) ?? { x: 0, y: 0 });

  const showAll = useFraming({ cells, start: rooms[0]?.id ?? null, chosen, size, show });

  const moveRoom = (room: WorldRoom, event: PointerEvent) =>
    followPress(event, {
      move: ({ clientX, clientY }) => setDrag({ what: 'room', room, to: pointAt(clientX, clientY) }),
      end: ({ clientX, clientY }, moved) => {
        setDrag(null);
        if (!moved) return onChoose(room.id);
        const cell = cellAt(pointAt(clientX, clientY));
        const isTaken = [...cells].some(([id, other]) => id !== room.id && cellKey(other) === cellKey(cell));
        if (!isTaken) setFixed({ ...fixed, [room.id]: cell });
      },
      cancel: () => setDrag(null),
    });
  const drawExit = (room: WorldRoom, event: PointerEvent) =>
    followPress(event, {
      move: ({ clientX, clientY }) => setDrag({ what: 'exit', room, to: pointAt(clientX, clientY) }),
      end: ({ clientX, clientY }, moved) => {
        setDrag(null);
        if (!moved) return;
        const from = cells.get(room.id) ?? { x: 0, y: 0 };
        const below = document.elementFromPoint(clientX, clientY)?.closest<SVGElement>('[data-room]')?.dataset.room;
        const target = byId.get(below ?? '');
        if (target?.id === room.id) return;
        if (target) onLink(room, target, [from, cells.get(target.id) ?? from]);
        else onLinkNew(room, [from, cellAt(pointAt(clientX, clientY))]);
      },
      cancel: () => setDrag(null),
    });

  return (
    <div className={styles.canvas}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a drawing */}
      <svg
        ref={ref}
        className={styles.drawing}
        role="group"
        aria-label="Map of the world"
        {...listeners}
        onClick={({ target, currentTarget }) => target === currentTarget && !hasMoved() && onChoose(null)}
        onKeyDown={({ key }) => key === 'Escape' && onChoose(null)}
      >
        <g transform={transform}>
          <Links
            rooms={rooms}
            cells={cells}
            at={at}
            moved={drag?.what === 'room' ? drag.room.id : null}
            chosen={chosen}
          />
          {drag?.what === 'exit' && (
            <line
              className={styles.drawn}
              x1={at(drag.room.id).x}
              y1={at(drag.room.id).y}
              x2={drag.to.x}
              y2={drag.to.y}
            />
          )}
          {rooms.map((room) => (
            <RoomBox
              key={room.id}
              room={room}
              at={at(room.id)}
              crowd={crowds.get(room.id)}
              isChosen={room.id === chosen}
              onPress={(event) => moveRoom(room, event)}
              onDraw={(event) => drawExit(room, event)}
              onChoose={() => onChoose(room.id)}
            />
          ))}
        </g>
      </svg>
      <div className={styles.zoom}>
        <button type="button" className="button icon small" aria-label="Zoom in" onClick={() => zoom(ZOOM)}>
          <Icon name="plus" />
        </button>
        <button type="button" className="button icon small" aria-label="Zoom out" onClick={() => zoom(1 / ZOOM)}>
          <Icon name="minus" />
        </button>
        <button type="button" className="button small" onClick={showAll}>
          Show all
        </button>
        {Object.keys(fixed).length > 0 && (
          <button type="button" className="button small" onClick={() => setFixed({})}>
            Tidy up
          </button>
        )}
      </div>
    </div>
  );
}
