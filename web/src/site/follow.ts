/**
 * Follows a subscription over server-sent events, which a browser reads without a library. Only while the page is visible: a browser
 * opens few connections to a server, and each open tab would hold one.
 */

const RETRY_MIN_MS = 2000;
const RETRY_MAX_MS = 60_000;

/** @param query its text @param receive called with its data, from the first event on again after each interruption */
export function follow<Data>(query: string, variables: object, receive: (data: Data) => void): void {
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  let source: EventSource | null = null;
  let retry: number | undefined;
  let retryMs = RETRY_MIN_MS;

  const close = () => {
    source?.close();
    source = null;
    clearTimeout(retry);
  };
  const retryLater = () => {
    close();
    retry = window.setTimeout(open, retryMs * (1 + Math.random()));
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  };
  const open = () => {
    close();
    if (document.hidden) return;
    source = new EventSource(`/graphql/stream?${parameters}`);
    source.addEventListener('next', ({ data }) => {
      const answer = JSON.parse(data) as { data?: Data; errors?: unknown };
      if (!answer.data || answer.errors) return retryLater();
      retryMs = RETRY_MIN_MS;
      receive(answer.data);
    });
    source.addEventListener('complete', retryLater);
    source.addEventListener('error', retryLater);
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  open();
}
