/** The audit of GraphQL over HTTP: no error, and no warning but those for which there is a reason. */
import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

/** Where legacy `application/json` SHOULD answer 200 for what was not executed, 400 is answered: a client can tell by the status. */
const KNOWN_WARNINGS = [
  'SHOULD use 200 status code on document parsing failure when accepting application/json',
  'SHOULD use 200 status code on document validation failure when accepting application/json',
  'SHOULD use a status code of 200 on variable coercion failure when accepting application/json',
];

it('speaks GraphQL over HTTP as the specification says', async () => {
  const results = await auditServer({ url: `${server.url}/graphql` });
  const of = (status: string) => results.filter((result) => result.status === status).map(({ name }) => name);
  expect(results.length).toBeGreaterThan(50);
  expect(of('error')).toEqual([]);
  expect(of('warn').filter((name) => !KNOWN_WARNINGS.includes(name))).toEqual([]);
});
