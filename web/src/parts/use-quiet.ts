/** A text once it has stood still: the server is not asked after each letter. */
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
