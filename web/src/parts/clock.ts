/** The time, for what changes by itself: sliding windows, "3 s ago". */
import { useEffect, useState } from 'react';

/**
 * The present moment, looked at every `everyMs`.
 * @param read what the component needs of it; it is drawn again only when this changes
 */
export function useClock<Value extends number | string>(everyMs: number, read: (now: number) => Value): Value {
  const [, redraw] = useState(0);
  const value = read(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (read(Date.now()) !== value) redraw((count) => count + 1);
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, read, value]);
  return value;
}
