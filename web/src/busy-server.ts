/** Requests to a server that may have too much to do for a moment. */

const ATTEMPTS = 3;
/** Somebody is waiting before the page: after longer than this it is better to say so. */
const WAIT_MAX_SECONDS = 3;

/**
 * `fetch` that sends again what the server was too busy for. By 503 it says that it has begun nothing, so a mutation may be sent
 * again as well.
 */
export async function fetchPatiently(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(input, init);
    const waitSeconds = Number(answer.headers.get('retry-after') ?? Number.POSITIVE_INFINITY);
    if (answer.status !== 503 || attempt === ATTEMPTS || !(waitSeconds <= WAIT_MAX_SECONDS)) return answer;
    const spread = 0.5 + Math.random(); // those who were refused together do not come back together
    await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000 * spread));
  }
}
