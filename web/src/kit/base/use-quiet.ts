/** Debounces a text, so that the server is not queried after each keystroke. */
import { useEffect, useState } from 'react';

const QUIET_MS = 120;

export function useQuiet(text: string): string {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return quiet;
}
