/** A character's first letter, in the color of its name. */
import { hueOf } from './hue.js';
import styles from './portrait.module.css';

export const Portrait = ({ name, size = 48 }: { name: string; size?: number }) => (
  <span className={styles.portrait} style={{ ...hueOf(name), width: size, height: size }} aria-hidden="true">
    {name.slice(0, 1).toUpperCase()}
  </span>
);
