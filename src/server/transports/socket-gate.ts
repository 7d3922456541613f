/** Decides who may open a socket, and how many, at the upgrade, before a connection costs anything. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Config } from '../../config/config.js';
import { addressOf } from '../identity/caller.js';
import { AddressCount } from '../limits/address-count.js';
import type { RequestAllowance } from '../limits/allowance.js';
import { isAllowedOrigin } from '../request/origin.js';
import { watchPulse } from './socket-pulse.js';

/** No legitimate client splits a message into more fragments. */
const FRAGMENTS_MAX = 1024;
/** How long clients have to answer the close frame when the server stops. */
const CLOSE_WAIT_MS = 2000;
/**
 * Sockets are closed one after the other, so that their clients do not all reconnect at the same moment: this far apart, or within
 * half of the available time.
 */
const CLOSE_APART_MS = 10;
const GOING_AWAY = 1001;

export interface SocketGate {
  /** Open sockets. */
  readonly count: number;
  /**
   * Closes every socket with 1001 (going away), after pending writes, and terminates those that do not respond within `waitMs`, at most
   * two seconds.
   */
  close(waitMs: number): Promise<void>;
}

/**
 * @param path the only path that is upgraded
 * @param admit receives each socket with its address, and returns a function to call when it has closed
 */
export function openSocketGate(
  server: Server,
  path: string,
  config: Config,
  requests: RequestAllowance,
  admit: (socket: WebSocket, request: IncomingMessage, address: string) => (code: number, reason: string) => void,
): SocketGate {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: config.MAX_MESSAGE_BYTES,
    maxFragments: FRAGMENTS_MAX,
    perMessageDeflate: false, // costs memory per connection, and time per message and subscriber
    handleProtocols,
  });
  const byAddress = new AddressCount();

  /** A separate function, so that the listener does not keep the request alive. */
  const onceClosed = (socket: WebSocket, address: string, closed: (code: number, reason: string) => void) => {
    socket.once('close', (code, reason) => {
      byAddress.add(address, -1);
      closed(code, String(reason));
    });
  };

  const rejectionOf = (request: IncomingMessage, address: string): string | null => {
    const waitSeconds = requests.charge(address);
    if (waitSeconds > 0) return `429 Too Many Requests\r\nretry-after: ${waitSeconds}`;
    if (request.url?.split('?', 1)[0] !== path) return '404 Not Found';
    if (!isAllowedOrigin(request, config)) return '403 Forbidden';
    if (sockets.clients.size >= config.MAX_SOCKETS) return '503 Service Unavailable';
    if (byAddress.of(address) >= config.MAX_SOCKETS_PER_ADDRESS) return '429 Too Many Requests';
    return null;
  };

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const address = addressOf(request, config);
    const rejection = rejectionOf(request, address);
    if (rejection) {
      stream.on('error', () => stream.destroy()); // nothing else listens: a disconnected client would crash the process
      stream.end(`HTTP/1.1 ${rejection}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      byAddress.add(address, 1);
      onceClosed(socket, address, admit(socket, request, address));
    });
  });
  const endPulse = watchPulse(sockets.clients);

  return {
    get count() {
      return sockets.clients.size;
    },
    close: (waitMs) =>
      new Promise((resolve) => {
        endPulse();
        const limitMs = Math.min(waitMs, CLOSE_WAIT_MS);
        const end = setTimeout(() => {
          for (const socket of sockets.clients) socket.terminate();
        }, limitMs);
        sockets.close(() => {
          clearTimeout(end);
          resolve();
        });
        sayGoodbye([...sockets.clients], limitMs / 2);
      }),
  };
}

/** Closes sockets evenly over a time. */
function sayGoodbye(open: readonly WebSocket[], withinMs: number): void {
  const begin = performance.now();
  const lastMs = Math.min(withinMs, CLOSE_APART_MS * open.length);
  let closed = 0;
  const closeDue = () => {
    const due = Math.ceil(((performance.now() - begin) / lastMs) * open.length);
    for (const end = Math.min(due + 1, open.length); closed < end; closed += 1)
      open[closed]?.close(GOING_AWAY, 'The server is shutting down');
    if (closed < open.length) setTimeout(closeDue, CLOSE_APART_MS);
  };
  closeDue();
}
