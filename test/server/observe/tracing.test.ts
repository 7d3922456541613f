import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTracing } from '../../../src/config/open-telemetry.js';
import { connect } from '../../../src/database/connection/client.js';
import { setTracer } from '../../../src/shared/tracing.js';
import { useDatabase } from '../../support/database.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const database = useDatabase();

describe('tracing', () => {
  it('is off without an OpenTelemetry variable', async () => {
    expect(await startTracing({ PATH: '/bin', OTEL_SERVICE_NAME: '' })).toBeNull();
  });
  it('names the command that installs the packages, when they are missing', async () => {
    await expect(startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).rejects.toThrow(
      'npm install @opentelemetry/sdk-node@0.223',
    );
  });
});

describe('a traced operation', () => {
  const running = new AsyncLocalStorage<string>();
  const spans: (readonly [name: string, parent: string | undefined, collection: unknown])[] = [];
  let server: TestServer;
  beforeAll(async () => {
    setTracer({
      run: (name, _attributes, work) => {
        spans.push([name, running.getStore(), undefined]);
        return running.run(name, work);
      },
      beginChild: (name, attributes) => {
        const parent = running.getStore();
        if (parent === undefined) return null;
        spans.push([name, parent, attributes['db.collection.name']]);
        return { end: () => undefined };
      },
    });
    const traced = await connect(database.uri, database.db.databaseName);
    server = await startTestServer({ ...traced, uri: database.uri });
  });
  afterAll(async () => {
    await server.close();
    await server.services.client.close();
    setTracer(null);
  });

  it('has a span over HTTP and over a socket, with a child span per command', async () => {
    spans.length = 0;
    await server.request('query Me { viewer { id } }');
    const overSocket = server.connect().iterate({ query: '{ viewer { id } }' });
    await overSocket.next();
    expect(spans).toEqual([
      ['query', undefined, undefined],
      ['find', 'query', 'users'],
      ['query', undefined, undefined],
      ['find', 'query', 'users'],
    ]);
  });
});
