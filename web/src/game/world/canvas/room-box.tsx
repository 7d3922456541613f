/** A room of the drawing. Its body moves it, its handle draws an exit. */
import type { PointerEvent } from 'react';
import { BOX, type Point } from '../../map/grid.js';
import { RoomName } from '../../map/room-name.js';
import type { Crowd } from '../data/crowds.js';
import type { WorldRoom } from '../data/world.js';
import styles from './room-box.module.css';

interface RoomBoxProps {
  readonly room: WorldRoom;
  readonly at: Point;
  readonly crowd: Crowd | undefined;
  readonly isChosen: boolean;
  readonly onPress: (event: PointerEvent) => void;
  readonly onDraw: (event: PointerEvent) => void;
  readonly onChoose: () => void;
}

export function RoomBox({ room, at, crowd, isChosen, onPress, onDraw, onChoose }: RoomBoxProps) {
  const [right, bottom] = [BOX.width / 2, BOX.height / 2];
  return (
    <g
      className={styles.room}
      data-room={room.id}
      data-chosen={isChosen}
      data-start={room.isStart}
      transform={`translate(${at.x} ${at.y})`}
    >
      <title>{room.name}</title>
      {/* biome-ignore lint/a11y/useSemanticElements: a button cannot be part of a drawing */}
      <g
        role="button"
        tabIndex={-1}
        aria-label={room.name}
        aria-pressed={isChosen}
        onPointerDown={onPress}
        onKeyDown={({ key }) => key === 'Enter' && onChoose()}
      >
        <rect x={-right} y={-bottom} width={BOX.width} height={BOX.height} rx={9} />
        <RoomName name={room.name} />
      </g>
      {crowd && (
        <g className={styles.crowd} data-online={crowd.online > 0} transform={`translate(${-right} ${-bottom})`}>
          <title>{`${crowd.players} here, ${crowd.online} online`}</title>
          <rect x={-11} y={-9} width={22} height={18} rx={9} />
          <text textAnchor="middle" dy="0.35em">
            {crowd.online > 0 ? crowd.online : crowd.players}
          </text>
        </g>
      )}
      <circle className={styles.handle} cx={right} cy={bottom} r={8} onPointerDown={onDraw}>
        <title>Drag to another room to make an exit, or to an empty place for a new room</title>
      </circle>
    </g>
  );
}
