/** A connection on which a test writes HTTP by hand. */
import { connect, type Socket } from 'node:net';

export interface HttpConnection {
  readonly socket: Socket;
  /** Data received so far. */
  received(): string;
  /** All data received until the other side closed, and how long that took. */
  readonly ended: Promise<{ readonly text: string; readonly afterMs: number }>;
}

export function openHttpConnection(port: number): HttpConnection {
  const began = performance.now();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined); // reported by `ended`
  const ended = new Promise<{ text: string; afterMs: number }>((resolve) => {
    socket.once('close', () => resolve({ text, afterMs: performance.now() - began }));
  });
  return { socket, received: () => text, ended };
}
