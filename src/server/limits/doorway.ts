/**
 * Node.js accepts one connection per turn of the event loop. Under load, turns are long, and connections would wait to be accepted
 * for far longer than MAX_WAIT_MS, unnoticed. So work that has not started yet lets pending connections be accepted first.
 */

/** How many turns of the event loop work waits for new connections. */
const TURNS_MAX = 8;
/** After this many turns without a new connection, none are pending. The first turn ends without polling the system. */
const TURNS_WITHOUT = 2;

export class Doorway {
  #connectionCame = false;
  #isOpen = false;

  readonly #onClosed: () => void;

  /** @param onClosed called when work that had to wait may start */
  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  /** A client has connected. */
  noteConnection(): void {
    this.#connectionCame = true;
  }

  /** Accepts pending connections. @returns whether work must wait until that is done */
  letsIn(): boolean {
    if (this.#isOpen) return true;
    if (!this.#connectionCame) return false;
    this.#isOpen = true;
    let turns = 0;
    let without = 0;
    const turn = () => {
      turns += 1;
      without = this.#connectionCame ? 0 : without + 1;
      this.#connectionCame = false;
      if (turns < TURNS_MAX && without < TURNS_WITHOUT) {
        setImmediate(turn);
        return;
      }
      this.#isOpen = false;
      this.#onClosed();
    };
    setImmediate(turn);
    return true;
  }
}
