/**
 * The floor of a game's room: `ws`, one change stream, one buffer for all players, no GraphQL, no accounts, no copies. It supports just
 * enough of graphql-transport-ws for the same client to work with it, and sends as many bytes per message as the product.
 */
import { createServer } from 'node:http';
import { MongoClient } from 'mongodb';
import { type WebSocket, WebSocketServer } from 'ws';
import { environment, ready } from './process.js';

const messageBytes = Number(environment('MESSAGE_BYTES'));
const players = new Set<WebSocket>();
const server = createServer();
new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws', perMessageDeflate: false }).on(
  'connection',
  (socket) => {
    socket.on('message', (data) => {
      const { type } = JSON.parse(data.toString());
      if (type === 'connection_init') return socket.send('{"type":"connection_ack"}');
      players.add(socket);
      socket.on('close', () => players.delete(socket));
      socket.send(messageOf(0), { binary: false });
    });
  },
);

const client = await MongoClient.connect(environment('MONGODB_URI'));
const rooms = client.db(environment('MONGODB_DATABASE')).collection<{ happened: number }>('game.locations');
const stream = rooms.watch([{ $match: { operationType: 'update' } }]);
stream.on('change', (change) => {
  const happened = change.operationType === 'update' ? change.updateDescription.updatedFields?.happened : undefined;
  if (happened === undefined) return;
  const buffer = messageOf(happened);
  for (const socket of players) socket.send(buffer, { binary: false });
});
stream.on('error', (error) => {
  console.error(error);
  process.exit(1);
});

function messageOf(number: number): Buffer {
  const id = '00000000-0000-4000-8000-000000000000';
  const happenings = [{ number, who: { name: '' } }];
  const character = { name: '', happenings };
  const message = { id, type: 'next', payload: { data: { roomChanged: { character } } } };
  character.name = 'c'.repeat(Math.max(0, messageBytes - JSON.stringify(message).length));
  return Buffer.from(JSON.stringify(message));
}

server.listen(0, '127.0.0.1', 4096, () => ready(server));
