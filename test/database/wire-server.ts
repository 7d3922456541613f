/** Speaks MongoDB's wire protocol and lets a test define the replies. It implements nothing else of a server. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

const OP_REPLY = 1;
const OP_MSG = 2013;
const HEADER_BYTES = 16;

export interface WireServer {
  /** Host and port. */
  readonly host: string;
  close(): void;
}

/** @param answer gets each command with its `$db`; of a legacy handshake it only learns that it is one */
export async function startWireServer(answer: (command: Document) => Promise<Document>): Promise<WireServer> {
  const sockets = new Set<Socket>();
  const reply = async (socket: Socket, request: Buffer) => {
    const inMessage = request.readInt32LE(12) === OP_MSG;
    const command = inMessage ? BSON.deserialize(request.subarray(HEADER_BYTES + 5)) : { hello: 1, $db: 'admin' };
    const body = BSON.serialize(await answer(command));
    socket.write(frame(request.readInt32LE(4), inMessage, body));
  };
  const server = createServer((socket) => {
    let waiting = Buffer.alloc(0);
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => sockets.delete(socket))
      .on('data', (chunk) => {
        waiting = Buffer.concat([waiting, chunk]);
        while (waiting.length >= HEADER_BYTES && waiting.length >= waiting.readInt32LE(0)) {
          const length = waiting.readInt32LE(0);
          void reply(socket, waiting.subarray(0, length));
          waiting = waiting.subarray(length);
        }
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function frame(responseTo: number, inMessage: boolean, body: Uint8Array): Buffer {
  // OP_MSG: flags and the kind of its only section. OP_REPLY: flags, cursor id, starting from, number returned (1).
  const prefix = inMessage ? Buffer.alloc(5) : Buffer.from([...new Array(16).fill(0), 1, 0, 0, 0]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + prefix.length + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(inMessage ? OP_MSG : OP_REPLY, 12);
  return Buffer.concat([header, prefix, body]);
}
