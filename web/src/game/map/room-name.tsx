/** The name of a room inside its box on a map: at most two lines of it, so that it never leaves the box. */
import { BOX } from './grid.js';
import styles from './room-name.module.css';

/** It is short of its article, if it has one. */
export const RoomName = ({ name }: { name: string }) => (
  <foreignObject className={styles.box} x={-BOX.width / 2} y={-BOX.height / 2} width={BOX.width} height={BOX.height}>
    <div className={styles.middle}>
      <span className={styles.name}>{bareName(name)}</span>
    </div>
  </foreignObject>
);

function bareName(name: string): string {
  const bare = name.replace(/^(?:the|an|a) /i, '');
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
