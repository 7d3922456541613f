/** Answers the driver's handshake as a MongoDB of another version would. Nothing else of a server is there. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import { onTestFinished } from 'vitest';

const OP_REPLY = 1;
const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** Starts it for one test. @param wire the newest wire version that it speaks @returns its address */
export async function startOldServer(version: string, wire: number): Promise<string> {
  const server = createServer((socket) => {
    let waiting = Buffer.alloc(0);
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        waiting = Buffer.concat([waiting, chunk]);
        while (waiting.length >= HEADER_BYTES && waiting.length >= waiting.readInt32LE(0)) {
          const length = waiting.readInt32LE(0);
          answer(socket, waiting.subarray(0, length));
          waiting = waiting.subarray(length);
        }
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hello = {
    ok: 1,
    isWritablePrimary: true,
    setName: 'rs0',
    hosts: [host],
    me: host,
    minWireVersion: 0,
    maxWireVersion: wire,
  };
  const answer = (socket: Socket, request: Buffer) => {
    const inMessage = request.readInt32LE(12) === OP_MSG;
    const asksForVersion = inMessage && 'buildInfo' in BSON.deserialize(request.subarray(HEADER_BYTES + 5));
    const body = BSON.serialize(asksForVersion ? { ok: 1, version } : hello);
    socket.write(frame(request.readInt32LE(4), inMessage, body));
  };
  onTestFinished(() => {
    server.close();
  });
  return `mongodb://${host}/?replicaSet=rs0`;
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
