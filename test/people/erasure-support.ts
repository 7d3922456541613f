/** What an account leaves in each domain, and where it is found. */
import type { Db } from 'mongodb';
import { declaredCollections } from '../../src/database/index.js';

/** @param suffix of the ids */
export async function leaveTraces(db: Db, accountId: string, suffix: string = accountId): Promise<void> {
  const at = new Date();
  const put = (name: string, document: object) => db.collection(name).insertOne(document as never);
  await put('auth.refresh_tokens', { _id: `session-${suffix}`, user_id: accountId, expires_at: tomorrow(at) });
  await put('auth.password_resets', { _id: `reset-${suffix}`, user_id: accountId, expires_at: tomorrow(at) });
  await db
    .collection<{ _id: string }>('idempotency.counts')
    .updateOne({ _id: accountId }, { $set: { count: 1, expires_at: tomorrow(at) } }, { upsert: true });
  const account = `account-${suffix}`;
  await put('accounts', {
    _id: account,
    owner: accountId,
    balance: 500,
    currency: 'EUR',
    opened_with: 500,
    pending: [],
    opened_at: at,
  });
  const checkout = { call: `order-${suffix}`, account, owner: accountId, entered_by: accountId, at };
  const cart = { _id: `cart-${suffix}`, state: 'COMPLETE', currency: 'EUR', items: [], calls: [], revoked: [] };
  await put('carts', { ...cart, started_at: at, last_modified: at, checkout });
  await put('orders', {
    _id: `order-${suffix}`,
    owner: accountId,
    entered_by: accountId,
    cart: cart._id,
    account,
    currency: 'EUR',
    lines: [{ sku: 'a', title: 'A', qty: 3, price: 100 }],
    total: 300,
    placed_at: at,
    raises: [],
  });
  const metadata = { state: 'STORED', content_type: 'image/png', sha256: 'none', width: 1, height: 1, scaled: [] };
  await put('cms.assets.files', {
    _id: `asset-${suffix}`,
    length: 0,
    chunkSize: 1,
    uploadDate: at,
    filename: 'a.png',
    metadata: { ...metadata, owner_id: accountId, used_at: at, check_at: tomorrow(at) },
  });
  const work = {
    owner: accountId,
    state: 'FINISHED',
    done: 1,
    token: 1,
    steps: 1,
    attempts: 0,
    created_at: at,
    finished_at: at,
  };
  const input = { author: { name: 'Ann' } };
  await put('work', { ...work, _id: `import-${suffix}`, kind: 'content-import', type: 'DataImport', input });
  await put('work', {
    ...work,
    _id: `export-${suffix}`,
    kind: 'a',
    type: 'DataExport',
    input: {},
    download_key: 'key',
  });
  await put('game.characters', characterOf(accountId, suffix, at));
  await put('work.parts', { _id: `export-${suffix}.00000000`, data: Buffer.from(accountId), begun_at: at });
}

/** In no room, with nothing: deleting it needs nothing else. */
const characterOf = (owner: string, suffix: string, at: Date) => ({
  _id: `character ${suffix}`,
  name: 'Character',
  class: 'MAGE',
  role: 'PERSON',
  owner,
  gold: 0,
  gold_start: 0,
  armor: [],
  weapons: [],
  inventory: [],
  weight: 0,
  location: { _id: 'nowhere', players: [] },
  happenings: [],
  calls: [],
  transits: [],
  created_at: at,
});

const tomorrow = (at: Date) => new Date(at.getTime() + 86_400_000);

/** The names of the collections that have the id of an account somewhere in a document. */
export async function tracesOf(db: Db, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of declaredCollections().keys()) {
    const documents = await db.collection(name).find().toArray();
    if (documents.some((document) => hasText(document, text))) found.push(name);
  }
  return found.toSorted();
}

/** As a whole value: ids that `leaveTraces` makes of it do not count. */
function hasText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value === text;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => hasText(each, text));
}
