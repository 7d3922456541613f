/** Messages between supervisor and users: JSON lines over a loopback connection that lasts as long as the user needs the server. */
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A user's first and only message. */
export interface Greeting {
  readonly secret: string;
}

/** The supervisor's: once at the greeting, then whenever it changes. */
export type ServerState =
  | { readonly state: 'STARTING' }
  | { readonly state: 'READY'; readonly port: number }
  | { readonly state: 'FAILED'; readonly reason: string };

export function send(socket: Socket, message: Greeting | ServerState): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Calls `take` with each message; a line that is not JSON ends the connection. */
export function receive<Message>(socket: Socket, take: (message: Message) => void): void {
  const lines = createInterface(socket);
  lines.on('error', () => {}); // repeats the socket's error, which the owner of the socket handles
  lines.on('line', (line) => {
    try {
      take(JSON.parse(line));
    } catch {
      socket.destroy(); // another program has connected to the port
    }
  });
}
