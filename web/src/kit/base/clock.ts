/** The current time, for content that changes as time passes: sliding windows, "3 s ago". */
import { useEffect, useState } from 'react';

/**
 * Reads the current time every `everyMs`.
 * @param read derives what the component needs; it re-renders only when this value changes
 */
export function useClock<Value extends number | string | boolean>(
  everyMs: number,
  read: (now: number) => Value,
): Value {
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
