/**
 * The floor of delivered posts: `ws`, one change stream, one buffer for all followers, no GraphQL, no rule. It supports just enough of
 * graphql-transport-ws for the same client to work with it, and sends as many bytes per post as the product.
 */
import { createServer } from 'node:http';
import { MongoClient } from 'mongodb';
import { type WebSocket, WebSocketServer } from 'ws';
import { environment, ready } from './process.js';

interface Post {
  readonly author_id: string;
  readonly text: string;
}

const messageBytes = Number(environment('MESSAGE_BYTES'));
const followers = new Set<WebSocket>();
const server = createServer();
new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws', perMessageDeflate: false }).on(
  'connection',
  (socket) => {
    socket.on('message', (data) => {
      const { type } = JSON.parse(data.toString());
      if (type === 'connection_init') return socket.send('{"type":"connection_ack"}');
      followers.add(socket);
      socket.on('close', () => followers.delete(socket));
      publish(socket, 'the state');
    });
  },
);

const client = await MongoClient.connect(environment('MONGODB_URI'));
const posts = client.db(environment('MONGODB_DATABASE')).collection<Post>('social.posts');
const stream = posts.watch([{ $match: { operationType: 'insert' } }]);
stream.on('change', (change) => {
  if (change.operationType === 'insert') publish(null, change.fullDocument.text);
});
stream.on('error', (error) => {
  console.error(error);
  process.exit(1);
});

/** @param only null for all */
function publish(only: WebSocket | null, text: string): void {
  const id = '00000000-0000-4000-8000-000000000000';
  const posts = [{ text, cursor: '' }];
  const message = { id, type: 'next', payload: { data: { newsChanged: { posts } } } };
  const missing = messageBytes - JSON.stringify(message).length;
  for (const post of posts) post.cursor = 'c'.repeat(Math.max(0, missing));
  const buffer = Buffer.from(JSON.stringify(message));
  for (const socket of only ? [only] : followers) socket.send(buffer, { binary: false });
}

server.listen(0, '127.0.0.1', 4096, () => ready(server));
