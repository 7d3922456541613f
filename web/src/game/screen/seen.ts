/** Waiting until what the server has answered is on the screen. */

interface Watched<State> {
  readonly get: () => State;
  /** @returns unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
}

/** A crowded room may take longer: then the next act need not wait. */
const SEEN_MS = 1_000;

/** Without the subscription, what the server tells comes with its first event, which is waited for. */
const AWAY_MAX_MS = 15_000;

/** Resolves when the state is as expected, or after a second, or after 15 without a connection. */
export function seen<State>(
  state: Watched<State>,
  isSeen: (state: State) => boolean,
  isLive: () => boolean,
): Promise<void> {
  if (isSeen(state.get())) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    let waited = 0;
    const look = () => {
      waited += SEEN_MS;
      if (isLive() || waited >= AWAY_MAX_MS) end();
      else timer = setTimeout(look, SEEN_MS);
    };
    let timer = setTimeout(look, SEEN_MS);
    const stop = state.subscribe(() => {
      if (isSeen(state.get())) end();
    });
  });
}
