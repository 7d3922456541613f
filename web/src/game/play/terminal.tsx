/** What the character has seen and heard, what was typed, and the field to type in. */
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../../kit/display/icon.js';
import type { Line } from '../screen/log.js';
import { LineView } from './line.js';
import { usePlaying } from './playing.js';
import styles from './terminal.module.css';

const NEAR_END_PX = 60;

export function Terminal({ children }: { children: ReactNode }) {
  const { now } = usePlaying();
  const { lines } = now.log;
  const { area, isAtEnd, onScroll, toEnd } = useEndOfScroll(lines);
  const lastRoom = lines.findLast(({ kind }) => kind === 'room')?.id ?? null;
  return (
    <section className={`card ${styles.terminal}`} aria-label="Terminal">
      <div className={styles.window}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <div ref={area} className={styles.lines} role="log" aria-label="What happens" tabIndex={0} onScroll={onScroll}>
          {lines.map((line) => (
            <LineView key={line.id} line={line} isHere={line.id === lastRoom} />
          ))}
        </div>
        {!isAtEnd && (
          <button type="button" className={`button small ${styles.toEnd}`} onClick={toEnd}>
            <Icon name="chevron" /> Latest
          </button>
        )}
      </div>
      {children}
    </section>
  );
}

/** Stays at the end while lines are added, unless somebody has scrolled up to read. */
function useEndOfScroll(lines: readonly Line[]) {
  const area = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => area.current?.scrollTo({ top: area.current.scrollHeight }), []);
  const onScroll = () => {
    const { scrollTop, clientHeight, scrollHeight } = area.current ?? document.documentElement;
    follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    setAtEnd(follows.current);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line moves the end
  useLayoutEffect(() => {
    if (follows.current) toEnd();
  }, [lines, toEnd]);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new ResizeObserver(() => follows.current && toEnd()); // a keyboard has opened on a phone
    observer.observe(element);
    return () => observer.disconnect();
  }, [toEnd]);
  return { area, isAtEnd, onScroll, toEnd };
}
