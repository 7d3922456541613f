/** A span for each command sent on behalf of an operation. Background work, such as the change stream, has none. */
import type { CommandStartedEvent, MongoClient } from 'mongodb';
import { beginChildSpan, type Span } from '../../shared/tracing.js';

/** The client must have `monitorCommands` set. */
export function traceCommands(client: MongoClient): void {
  const running = new Map<number, Span>();
  client.on('commandStarted', (event) => {
    const span = beginChildSpan(event.commandName, attributesOf(event));
    if (span) running.set(event.requestId, span);
  });
  const end = (requestId: number, error?: unknown) => {
    running.get(requestId)?.end(error);
    running.delete(requestId);
  };
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure));
}

/** Names only: filters and documents are private. */
function attributesOf({ commandName, command, databaseName }: CommandStartedEvent): Record<string, string> {
  const collection: unknown = command[commandName];
  return {
    'db.system.name': 'mongodb',
    'db.namespace': databaseName,
    'db.operation.name': commandName,
    ...(typeof collection === 'string' && { 'db.collection.name': collection }),
  };
}
