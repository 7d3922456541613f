import { expect, it } from 'vitest';
import { accounts, STORE_ACCOUNT } from '../../src/models/commerce/money/account.js';
import { useDatabase } from '../support/database.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const violations = (token?: string | null) =>
  server.request('{ violations { domain invariant subject detail } }', {}, token);

it('names the domain, the invariant, the document and what is wrong with it', async () => {
  expect((await violations()).data).toEqual({ violations: [] });
  await accounts(database.db).updateOne({ _id: STORE_ACCOUNT }, { $inc: { balance: 3 } });
  expect((await violations()).data).toEqual({
    violations: [
      { domain: 'commerce', invariant: 'money-is-conserved', subject: 'accounts', detail: '3 where 0 was expected' },
    ],
  });
});

it('is not shown to visitors', async () => {
  expect((await violations(null)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});
