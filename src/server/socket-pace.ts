/**
 * Reads from a socket no faster than its client may speak, and not at all while its client leaves unread what it was sent. Nothing is
 * refused: what is not read waits at the client's side of the connection.
 */
import type { WebSocket } from 'ws';

const WINDOW_MS = 1000;
/** While a client leaves this much of what was sent to it unread, nothing more is read from it. */
const UNREAD_BYTES_MAX = 4_194_304;
const CHECK_MS = 100;

/** @returns to be called for every message. Pings are counted as well: each is answered, so they too fill what a client leaves unread. */
export function paceReading(socket: WebSocket, messagesPerSecond: number): () => void {
  let windowEndMs = 0;
  let messages = 0;

  const mayRead = () =>
    socket.bufferedAmount <= UNREAD_BYTES_MAX && (messages < messagesPerSecond || performance.now() >= windowEndMs);

  const count = () => {
    const nowMs = performance.now();
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + WINDOW_MS;
      messages = 0;
    }
    messages += 1;
    if (!mayRead()) pauseUntil(socket, mayRead);
  };
  socket.on('ping', count);
  return count;
}

function pauseUntil(socket: WebSocket, mayRead: () => boolean): void {
  if (socket.isPaused) return;
  socket.pause();
  const check = setInterval(() => {
    if (socket.readyState === socket.OPEN && !mayRead()) return;
    clearInterval(check);
    socket.resume();
  }, CHECK_MS);
}
