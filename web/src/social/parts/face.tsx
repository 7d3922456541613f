/** A person as a small round picture, or the initials on a color of the name. */
import styles from './face.module.css';

interface FaceProps {
  readonly name: string;
  readonly src?: string | null | undefined;
  readonly size?: number;
}

const HUES = 6;

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase() || '?';
};

const hueOf = (name: string): number => [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES;

export function Face({ name, src, size = 40 }: FaceProps) {
  const box = { width: size, height: size, fontSize: Math.round(size * 0.38) };
  return src ? (
    <img
      className={styles.face}
      src={src}
      alt=""
      style={box}
      width={size}
      height={size}
      loading="lazy"
      draggable={false}
    />
  ) : (
    <span className={styles.face} data-hue={hueOf(name)} style={box} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
