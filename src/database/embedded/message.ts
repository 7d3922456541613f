/** What supervisor and users say to each other: lines of JSON over a loopback connection that lasts as long as the user needs the server. */
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

/** Calls `take` with each message; a line that is no JSON ends the connection. */
export function receive<Message>(socket: Socket, take: (message: Message) => void): void {
  const lines = createInterface(socket);
  lines.on('error', () => {}); // it repeats the socket's, which whoever owns the socket hears
  lines.on('line', (line) => {
    try {
      take(JSON.parse(line));
    } catch {
      socket.destroy(); // another program has found the port
    }
  });
}
