/** The map of what the character has explored. A click on a room goes there. */
import { useEffect } from 'react';
import { Icon } from '../../kit/display/icon.js';
import { stepOf } from '../map/directions.js';
import { type ExploredMap, edgesOf, type MapRoom, wayTo } from '../map/explored.js';
import { BOX, CELL, pointOf } from '../map/grid.js';
import { RoomName } from '../map/room-name.js';
import { useView } from '../map/use-view.js';
import styles from './map-view.module.css';
import { usePlaying } from './playing.js';

const SCALE = 0.85;
const ZOOM = 1.3;

export function MapView() {
  const { now, play } = usePlaying();
  const { map } = now;
  const here = map.here === null ? undefined : map.rooms[map.here];
  const center = pointOf(here ?? { x: 0, y: 0 });
  const { ref, transform, drag, zoom, show } = useView({ ...center, scale: SCALE });
  const { hasMoved, ...listeners } = drag;
  useEffect(() => show(({ scale }) => ({ x: center.x, y: center.y, scale })), [show, center.x, center.y]);
  const go = (room: MapRoom) => {
    const way = hasMoved() ? null : wayTo(map, room.id);
    if (way && way.length > 0) play.walk(way, `go to ${room.name}`);
  };
  return (
    <div className={styles.map}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a drawing */}
      <svg ref={ref} className={styles.drawing} role="group" aria-label="Map of the rooms you know" {...listeners}>
        <g transform={transform}>
          <Lines map={map} />
          {Object.values(map.rooms).map((room) => (
            <Box key={room.id} room={room} isHere={room.id === map.here} onGo={() => go(room)} />
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
        <button
          type="button"
          className="button icon small"
          aria-label="Show where you are"
          onClick={() => show({ ...center, scale: SCALE })}
        >
          <Icon name="pin" />
        </button>
      </div>
    </div>
  );
}

function Lines({ map }: { map: ExploredMap }) {
  const ends = Object.values(map.rooms).flatMap((room) =>
    room.exits.filter(({ to }) => to === null).map(({ direction }) => ({ room, direction })),
  );
  return (
    <>
      {edgesOf(map).map(({ from, to }) => {
        const [a, b] = [pointOf(from), pointOf(to)];
        return <line key={`${from.id} ${to.id}`} className={styles.way} x1={a.x} y1={a.y} x2={b.x} y2={b.y} />;
      })}
      {ends.map(({ room, direction }) => (
        <OpenEnd key={`${room.id} ${direction}`} room={room} direction={direction} />
      ))}
    </>
  );
}

/** An exit that nobody went through yet. Those that point nowhere on a map are marked below the room. */
function OpenEnd({ room, direction }: { room: MapRoom; direction: string }) {
  const { x, y } = pointOf(room);
  const [dx, dy] = stepOf(direction) ?? [0.3, 0.62];
  const length = 0.66;
  return (
    <line
      className={styles.open}
      x1={x}
      y1={y}
      x2={x + dx * CELL.width * length}
      y2={y + dy * CELL.height * (dx === 0 ? 0.72 : length)}
    >
      <title>{direction}</title>
    </line>
  );
}

function Box({ room, isHere, onGo }: { room: MapRoom; isHere: boolean; onGo: () => void }) {
  const { x, y } = pointOf(room);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be part of a drawing
    <g
      className={styles.room}
      data-here={isHere}
      role="button"
      tabIndex={-1}
      aria-label={isHere ? `${room.name}, where you are` : `Go to ${room.name}`}
      transform={`translate(${x} ${y})`}
      onClick={onGo}
      onKeyDown={({ key }) => key === 'Enter' && onGo()}
    >
      <title>{room.name}</title>
      <rect x={-BOX.width / 2} y={-BOX.height / 2} width={BOX.width} height={BOX.height} rx={9} />
      <RoomName name={room.name} />
    </g>
  );
}
