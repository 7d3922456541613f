/** Retries requests to a server that is temporarily overloaded or cannot reach its database. */

const ATTEMPTS = 4;
/** A user is waiting at the page: if the server asks for a longer delay than this, show the error instead. */
const WAIT_MAX_MS = 10_000;
/** Longer than all retries take, unless the machine sleeps between two. The server may have forgotten an idempotency key after that. */
const ALL_MAX_MS = 300_000;
/** Jitter on top of the delay that the server asks for: pages that were refused together do not retry together. */
const SPREAD = 0.5;

/**
 * `fetch` with a bounded number of retries, each after the delay that the server asks for. A request that was refused
 * because the server was busy has not started, so mutations are retried as well. A request that failed because the
 * database became unreachable may have taken effect: only queries, and mutations with an idempotency key, are retried.
 */
export async function fetchPatiently(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const begun = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(input, init);
    const waitMs = attempt < ATTEMPTS ? await readWait(answer, init?.body) : null;
    if (waitMs === null) return answer;
    await new Promise((resolve) => setTimeout(resolve, waitMs * (1 + Math.random() * SPREAD)));
    if (Date.now() - begun > ALL_MAX_MS) return answer; // guard: the caller knows whether the request still makes sense
  }
}

/** @returns how long to wait before the retry; null if a retry is not safe or not useful */
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
    return {}; // from a proxy, not from the server
  }
}

/** Whether executing the request twice has the same effect as once. */
function mayRepeatWhatWasDone(sent: RequestInit['body']): boolean {
  if (typeof sent !== 'string') return false; // files
  const { query, variables } = JSON.parse(sent) as { query?: string; variables?: Readonly<Record<string, unknown>> };
  if (query === undefined) return false;
  if (!/(^|\})\s*mutation\b/.test(query)) return true;
  const [, name] = /idempotencyKey:\s*\$(\w+)/.exec(query) ?? [];
  return name !== undefined && typeof variables?.[name] === 'string';
}
