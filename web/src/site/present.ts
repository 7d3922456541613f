/** The page as the server would render it now. */

/** The server answers with a page that is at most this old, and so renders it once for all who read it. */
const SERVED_FOR_MS = 1000;
const SPREAD_MS = 1000;

export interface Present {
  readonly document: Document;
  /** Where it is now: the page may have been moved. */
  readonly address: string;
}

/** Fetches it, at a time that differs from reader to reader. @returns null when there is no such page any more */
export async function fetchPresent(): Promise<Present | null> {
  await new Promise((resolve) => setTimeout(resolve, SERVED_FOR_MS + Math.random() * SPREAD_MS));
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`The page answers ${answer.status}`);
  return { document: new DOMParser().parseFromString(await answer.text(), 'text/html'), address: answer.url };
}

/** Runs one at a time, and once more for whatever was asked meanwhile. A failure is left to the next event. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let asked = false;
  const run = async () => {
    running = true;
    do {
      asked = false;
      await work().catch(() => undefined);
    } while (asked);
    running = false;
  };
  return () => {
    asked = true;
    if (!running) void run();
  };
}
