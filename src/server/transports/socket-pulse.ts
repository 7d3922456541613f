/** Pings every socket, and terminates dead connections. */
import type { WebSocket } from 'ws';

const PING_MS = 25_000;
/** A client that reads nothing for a while is slow, not dead: it is terminated only after this many unanswered pings. */
const MISSED_MAX = 4;

/** @returns stops it */
export function watchPulse(sockets: ReadonlySet<WebSocket>, pingMs = PING_MS): () => void {
  const missed = new WeakMap<WebSocket, number>();
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const pings = missed.get(socket);
      if (pings === undefined) socket.on('pong', () => missed.set(socket, 0));
      if (pings !== undefined && pings >= MISSED_MAX) {
        socket.terminate();
        continue;
      }
      missed.set(socket, (pings ?? 0) + 1);
      socket.ping();
    }
  }, pingMs);
  return () => clearInterval(timer);
}
