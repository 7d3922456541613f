/**
 * The floor of delivered messages: `ws`, one change stream, one buffer for all subscribers to a topic, no GraphQL. It
 * supports just enough of graphql-transport-ws for the same client to work with it, and sends as many bytes per change
 * as the product.
 */
import { createServer } from 'node:http';
import { MongoClient } from 'mongodb';
import { type WebSocket, WebSocketServer } from 'ws';
import { environment, ready } from './process.js';

interface Day {
  _id: string;
  minute: Record<string, Record<string, number>>;
}

/** The length of a product cursor; the content does not matter here. */
const CURSOR_LENGTH = Number(environment('CURSOR_LENGTH'));
const topics = new Map<string, Set<WebSocket>>();
const server = createServer();
new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws', perMessageDeflate: false }).on(
  'connection',
  (socket) => {
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString());
      if (message.type === 'connection_init') return socket.send('{"type":"connection_ack"}');
      const { site, page } = message.payload.variables;
      const topic = `${site}/${page}`;
      const followers = topics.get(topic) ?? new Set();
      topics.set(topic, followers.add(socket));
      socket.on('close', () => followers.delete(socket));
    });
  },
);

const client = await MongoClient.connect(environment('MONGODB_URI'));
const days = client.db(environment('MONGODB_DATABASE')).collection<Day>('hits.daily');
const stream = days.watch([{ $match: { operationType: { $in: ['insert', 'update'] } } }]);
stream.on('change', (change) => {
  if (change.operationType === 'insert') {
    for (const [hour, minutes] of Object.entries(change.fullDocument.minute))
      for (const [minute, count] of Object.entries(minutes)) publish(change.fullDocument._id, hour, minute, count);
  } else if (change.operationType === 'update') {
    const changed: Record<string, unknown> = change.updateDescription.updatedFields ?? {};
    for (const [path, value] of Object.entries(changed)) {
      const [field, hour, minute] = path.split('.');
      if (field === 'minute' && hour && minute) publish(change.documentKey._id, hour, minute, value as number);
    }
  }
});
stream.on('error', (error) => {
  console.error(error);
  process.exit(1);
});

function publish(id: string, hour: string, minute: string, count: number): void {
  const [day = '', site, page] = id.split('/');
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const at = `${date}T${hour.padStart(2, '0')}:${minute.padStart(2, '0')}:00.000Z`;
  const event = { __typename: 'HitChartChange', cursor: 'c'.repeat(CURSOR_LENGTH), points: [{ at, count }] };
  const id36 = '00000000-0000-4000-8000-000000000000';
  const text = JSON.stringify({ id: id36, type: 'next', payload: { data: { hitChartChanged: event } } });
  const buffer = Buffer.from(text);
  for (const socket of topics.get(`${site}/${page}`) ?? []) socket.send(buffer, { binary: false });
}

server.listen(0, '127.0.0.1', 4096, () => ready(server));
