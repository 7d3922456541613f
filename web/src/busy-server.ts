/** Requests to a server that cannot answer for a moment: it has too much to do, or its database is away. */

const ATTEMPTS = 4;
/** Somebody is waiting before the page: when the server wants more time than this it is better to say so. */
const WAIT_MAX_MS = 10_000;
/** Added at random to what the server asks for: pages that were refused together do not come back together. */
const SPREAD = 0.5;

/**
 * `fetch` that sends again what the server did not do, as often as is good, when the server says. What it was too busy for has not begun,
 * so a mutation may be sent again as well. What it lost its database over may have been done: queries are sent again then, and mutations
 * with an idempotency key.
 */
export async function fetchPatiently(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(input, init);
    const waitMs = attempt < ATTEMPTS ? await readWait(answer, init?.body) : null;
    if (waitMs === null) return answer;
    await new Promise((resolve) => setTimeout(resolve, waitMs * (1 + Math.random() * SPREAD)));
  }
}

/** @returns how long to wait until the request may be sent again; null: it may not, or it is of no use */
async function readWait(answer: Response, sent: RequestInit['body']): Promise<number | null> {
  if (answer.status !== 429 && answer.status !== 503) return null;
  const { code, retryAfterMs } = readError(await answer.clone().text());
  const mayRepeat = code === 'SERVER_BUSY' || (code === 'DATABASE_UNAVAILABLE' && mayRepeatWhatWasDone(sent));
  const waitMs = Number(retryAfterMs ?? Number(answer.headers.get('retry-after') ?? Number.NaN) * 1000);
  return mayRepeat && waitMs <= WAIT_MAX_MS ? waitMs : null;
}

function readError(body: string): { readonly code?: unknown; readonly retryAfterMs?: unknown } {
  try {
    return JSON.parse(body).errors[0].extensions;
  } catch {
    return {}; // a proxy's answer, not the server's
  }
}

/** Whether doing it a second time has the effect of once. */
function mayRepeatWhatWasDone(sent: RequestInit['body']): boolean {
  if (typeof sent !== 'string') return false; // files
  const { query, variables } = JSON.parse(sent) as { query?: string; variables?: Readonly<Record<string, unknown>> };
  if (query === undefined) return false;
  if (!/(^|\})\s*mutation\b/.test(query)) return true;
  const [, name] = /idempotencyKey:\s*\$(\w+)/.exec(query) ?? [];
  return name !== undefined && typeof variables?.[name] === 'string';
}
