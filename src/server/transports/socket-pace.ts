/**
 * Limits how fast a socket is read, and stops reading while its client has too much unread data. Nothing is rejected: unread messages
 * wait on the client's side of the connection.
 */
import type { WebSocket } from 'ws';

const WINDOW_MS = 1000;
/** While a client has this much unread data, nothing more is read from it. */
const UNREAD_BYTES_MAX = 4_194_304;
const CHECK_MS = 100;

export class SocketPace {
  readonly #socket: WebSocket;
  readonly #messagesPerSecond: number;
  #windowEndMs = 0;
  #messages = 0;

  constructor(socket: WebSocket, messagesPerSecond: number) {
    this.#socket = socket;
    this.#messagesPerSecond = messagesPerSecond;
    socket.on('ping', () => this.count()); // each is answered, so pings also add unread data
  }

  /** Call for every message. */
  count(): void {
    const nowMs = performance.now();
    if (nowMs >= this.#windowEndMs) {
      this.#windowEndMs = nowMs + WINDOW_MS;
      this.#messages = 0;
    }
    this.#messages += 1;
    if (!this.#mayRead()) this.#pause();
  }

  #mayRead(): boolean {
    return (
      this.#socket.bufferedAmount <= UNREAD_BYTES_MAX &&
      (this.#messages < this.#messagesPerSecond || performance.now() >= this.#windowEndMs)
    );
  }

  #pause(): void {
    if (this.#socket.isPaused) return;
    this.#socket.pause();
    const check = setInterval(() => {
      if (this.#socket.readyState === this.#socket.OPEN && !this.#mayRead()) return;
      clearInterval(check);
      this.#socket.resume();
    }, CHECK_MS);
  }
}
