/** Waiting until what the server has answered is on the screen. */

interface Watched<State> {
  readonly get: () => State;
  /** @returns unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
}

/** A crowded room, or a lost subscription, may take longer: then the next act need not wait. */
const SEEN_MS = 1_000;

/** Resolves when the state is as expected, or after a second. */
export function seen<State>(state: Watched<State>, isSeen: (state: State) => boolean): Promise<void> {
  if (isSeen(state.get())) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, SEEN_MS);
    const stop = state.subscribe(() => {
      if (isSeen(state.get())) end();
    });
  });
}
