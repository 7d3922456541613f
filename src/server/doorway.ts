/**
 * Node.js accepts one connection in a turn of the event loop. Where turns are long since much is done in each, others would wait in front
 * of the door for far longer than MAX_WAIT_MS, and nobody would know. So work that has not begun lets them in first.
 */

/** How many turns of the event loop work waits for connections that come. */
const TURNS_MAX = 8;
/** Turns in which none came: then there are none. The first one ends without asking the system. */
const TURNS_WITHOUT = 2;

export class Doorway {
  #connectionCame = false;
  #isOpen = false;

  /** @param onClosed called when work may begin that had to wait */
  constructor(private readonly onClosed: () => void) {}

  /** A client has connected. */
  noteConnection(): void {
    this.#connectionCame = true;
  }

  /** Lets in who comes. @returns whether work must wait until then */
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
      this.onClosed();
    };
    setImmediate(turn);
    return true;
  }
}
