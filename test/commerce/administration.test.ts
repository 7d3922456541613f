/** How administrators inspect and repair the shop. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { facets } from '../../src/models/commerce/catalog/facet.js';
import { carts } from '../../src/models/commerce/orders/cart.js';
import { idOfType, toGlobalId } from '../../src/shared/global-id.js';
import { useDatabase } from '../support/database.js';
import { workerNames } from '../support/domains.js';
import { runRecovery } from '../support/maintenance.js';
import { addPerson, beginTestSession } from '../support/people.js';
import { useServer } from '../support/server.js';
import { emptyShop, openShop, type Shop } from './shop.js';

const database = useDatabase();
const server = useServer(database);
/** Each starts a thread, which has low priority on the machine. */
const TWO_RECOVERIES = { timeout: 120_000 };
let shop: Shop;
let ann: string;
let editor: string;

beforeAll(async () => {
  ann = (await addPerson(database.db, 'ann', ['MEMBER']))._id;
  const edith = await addPerson(database.db, 'edith', ['EDITOR']);
  editor = (await beginTestSession(database.db, server.services.config, edith)).token;
});

beforeEach(async () => {
  await emptyShop(database.db);
  shop = await openShop(database.db);
  await shop.stock('A', 10, 250);
});

/** Sends a request as an administrator unless another token is given. */
async function ask<T>(operation: string, token = server.token) {
  const { data, errors } = await server.request<{ answer: T }>(operation, {}, token);
  return { answer: data?.answer as T, code: errors?.[0]?.extensions.code };
}
const query = <T>(field: string, token?: string) => ask<T>(`{ answer: ${field} }`, token);
const call = <T>(field: string, token?: string) => ask<T>(`mutation { answer: ${field} }`, token);

const newCart = async () => (await call<{ id: string }>('startCart { id }')).answer.id;
const add = (cart: string, quantity = 1) =>
  call(`addToCart(cartId: "${cart}", sku: "A", quantity: ${quantity}) { __typename }`);
const accountOf = async (owner: string) => toGlobalId('Account', (await shop.open(1000, owner))._id);

describe('an administrator', () => {
  it('lists the carts in a state page by page, most recently changed first; other users cannot', async () => {
    const [first, second, third] = [await newCart(), await newCart(), await newCart()];
    await add(first);
    const list = (page: string, token?: string) =>
      query<{ edges: { node: { id: string } }[]; pageInfo: { endCursor: string } }>(
        `carts(${page}) { edges { node { id } } pageInfo { endCursor } }`,
        token,
      );
    const ids = ({ answer: { edges } }: Awaited<ReturnType<typeof list>>) => edges.map(({ node }) => node.id);
    const page = await list('first: 2');
    expect(ids(page)).toEqual([first, third]);
    expect(ids(await list(`first: 2, after: "${page.answer.pageInfo.endCursor}"`))).toEqual([second]);
    expect(ids(await list('state: PENDING'))).toEqual([]);
    expect((await list('first: 101')).code).toBe('LIMIT_EXCEEDED');
    expect((await list('first: 2', editor)).code).toBe('FORBIDDEN');
  });

  it("sees the name of an account's owner", async () => {
    const [his, hers] = [await accountOf(ann), await accountOf('gone')];
    const nameOf = (id: string) => query(`account(id: "${id}") { ownerName }`);
    expect((await nameOf(his)).answer).toEqual({ ownerName: 'ann' });
    expect((await nameOf(hers)).answer).toEqual({ ownerName: '' });
    expect((await nameOf(toGlobalId('Account', 'store'))).answer).toEqual({ ownerName: 'The store' });
  });

  it(
    'starts the recovery workers, which skip work in progress and repair interrupted work',
    TWO_RECOVERIES,
    async () => {
      const [cart, account] = [await newCart(), await accountOf(ann)];
      await add(cart, 2);
      const id = idOfType('Cart', cart) ?? '';
      const checkout = { call: 'left', account: idOfType('Account', account) ?? '', owner: ann, at: new Date() };
      const leave = (at: Date) =>
        carts(database.db).updateOne({ _id: id }, { $set: { state: 'PENDING', checkout, last_modified: at } });
      const recover = async () => {
        const runs = (await runRecovery(server)).at(-1)?.runs ?? [];
        return { found: runs.filter(({ found }) => found !== 0), workers: runs.map(({ worker }) => worker) };
      };
      await leave(new Date());
      expect((await recover()).found).toEqual([]);
      expect((await query(`cart(id: "${cart}") { state }`)).answer).toEqual({ state: 'PENDING' });
      await leave(new Date(Date.now() - 600_000));
      await facets(database.db).updateOne({ kind: 'TYPE' }, { $inc: { count: 5 } });
      const { found, workers } = await recover();
      expect(found).toEqual([
        { worker: 'Finish or roll back stalled checkouts', found: 1, failure: null },
        { worker: 'Rebuild the catalog counters and paths', found: 1, failure: null },
      ]);
      expect(workers).toEqual(workerNames);
      expect((await query(`cart(id: "${cart}") { state }`)).answer).toEqual({ state: 'ACTIVE' });
      expect((await query('violations { invariant subject }')).answer).toEqual([]);
      const jobs = await query<{ name: string }[]>('recoveryJobs { name lastRunAt failure }');
      expect(jobs.answer).toEqual(workers.map((name) => ({ name, lastRunAt: null, failure: null })));
      expect((await query('recoveryJobs { name }', editor)).code).toBe('FORBIDDEN');
    },
  );
});
