/** The audit of GraphQL over HTTP: no errors, and only warnings for which there is a reason. */
import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);

/** For legacy `application/json`, 200 SHOULD be returned for operations that were not executed; 400 lets a client tell by the status. */
const KNOWN_WARNINGS = [
  'SHOULD use 200 status code on document parsing failure when accepting application/json',
  'SHOULD use 200 status code on document validation failure when accepting application/json',
  'SHOULD use a status code of 200 on variable coercion failure when accepting application/json',
];

it('complies with the GraphQL over HTTP specification', async () => {
  const results = await auditServer({ url: `${server.url}/graphql` });
  const of = (status: string) => results.filter((result) => result.status === status).map(({ name }) => name);
  expect(results.length).toBeGreaterThan(50);
  expect(of('error')).toEqual([]);
  expect(of('warn').filter((name) => !KNOWN_WARNINGS.includes(name))).toEqual([]);
});
