/**
 * A proxy between the driver and mongod that loses replies: the command is executed, but the connection breaks before its reply.
 * That simulates a broken network, unlike `failCommand`, which closes the connection before the command runs.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LossyProxy {
  /** URI for clients of the proxy. */
  readonly uri: string;
  /** Loses the replies to the given number of next commands with this name. */
  loseRepliesTo(command: string, times: number): void;
  /** The database is that far away: every message to it is late. */
  delay(ms: number): void;
  /** Stops reading from its clients, but keeps their connections. */
  stall(): void;
  /** Simulates a frozen server: neither reads nor writes, keeps its connections, and lets new ones wait. */
  freeze(): void;
  /** Replies lost so far. */
  readonly lost: number;
  close(): Promise<void>;
}

const OP_MSG = 2013;
const HEADER_BYTES = 16; // length, request id, response to, opcode: four little-endian integers
const FIRST_NAME = HEADER_BYTES + 4 + 1 + 4 + 1; // flags, the section's kind, the document's length, the first field's type

/** @param target host and port of a member that stays primary: the client sees only this member */
export async function startLossyProxy(target: { host: string; port: number }): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let isFrozen = false;
  let delayMs = 0;
  const toLose = { command: '', times: 0, lost: 0 };
  const server = createServer((client) => {
    if (isFrozen) return void sockets.add(client.pause());
    const upstream = connect(target);
    clients.add(client.on('close', () => clients.delete(client)));
    const losing = new Set<number>(); // request ids
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    forEachMessage(client, (message) => {
      if (toLose.times > 0 && commandName(message) === toLose.command) {
        toLose.times -= 1;
        losing.add(message.readInt32LE(4));
      }
      if (delayMs === 0) upstream.write(message);
      else setTimeout(() => upstream.write(message), delayMs); // timers of the same delay keep their order
    });
    forEachMessage(upstream, (message) => {
      if (!losing.has(message.readInt32LE(8))) return void client.write(message);
      toLose.lost += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`,
    loseRepliesTo(command, times) {
      toLose.command = command;
      toLose.times = times;
    },
    delay(ms) {
      delayMs = ms;
    },
    stall() {
      for (const client of clients) client.pause();
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    get lost() {
      return toLose.lost;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function forEachMessage(socket: Socket, onMessage: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      onMessage(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}

/** A command's name is the first field of its document. */
function commandName(message: Buffer): string | null {
  if (message.readInt32LE(12) !== OP_MSG) return null;
  return message.toString('utf8', FIRST_NAME, message.indexOf(0, FIRST_NAME));
}
