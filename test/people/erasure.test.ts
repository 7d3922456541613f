/** What deleted accounts leave is erased in all domains, until nothing is left. */
import { expect, it } from 'vitest';
import { allPersonalData } from '../../src/domains.js';
import { deleteUser } from '../../src/models/people/account-deletion.js';
import { ensureAdministrator } from '../../src/models/people/administrator.js';
import { auditTrail } from '../../src/models/people/audit.js';
import { eraseDeleted, erasures, SEARCHED_MS } from '../../src/models/people/erasure.js';
import { beginSession } from '../../src/models/people/sign-in-session.js';
import { externalId } from '../../src/models/people/user.js';
import { backgroundWork } from '../../src/models/system/work/background-work.js';
import { HOUR_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { addPerson, sessionRules, testAct } from '../support/people.js';
import { leaveTraces, tracesOf } from './erasure-support.js';

const database = useDatabase();
const NOW = new Date();
const LATER = new Date(NOW.getTime() + SEARCHED_MS + HOUR_MS);

it('erases and anonymizes what an account leaves, and ends', async () => {
  const { db } = database;
  const [ann, bob] = await Promise.all([addPerson(db, 'ann'), addPerson(db, 'bob')]);
  for (const { _id } of [ann, bob]) await leaveTraces(db, _id);
  await beginSession(db, sessionRules, ann, NOW);
  await db.collection('auth.invitations').insertOne({ _id: ann.email as never });
  const before = await tracesOf(db, bob._id);
  const now = new Date(); // after the traces: what is newer than a deletion is left to the next one
  await deleteUser(db, testAct(now), ann._id);
  expect(await erasures(db).findOne({ _id: ann._id })).toEqual({ _id: ann._id, requested_at: now });
  expect(await db.collection('auth.invitations').countDocuments()).toBe(0);

  expect(await eraseDeleted(db, allPersonalData, now)).toBeGreaterThan(5);
  expect(await tracesOf(db, ann._id)).toEqual(['people.erasures']);
  expect(await tracesOf(db, bob._id)).toEqual(before);
  const orderOf = (id: string) => db.collection('orders').findOne({ _id: `order-${id}` as never });
  expect(await orderOf(ann._id)).toMatchObject({ owner: null, total: 300, account: `account-${ann._id}` });
  expect(await orderOf(ann._id)).not.toHaveProperty('entered_by');
  expect(await orderOf(bob._id)).toMatchObject({ owner: bob._id, entered_by: bob._id });
  expect(await db.collection('accounts').findOne({ name: 'Deleted account' })).toMatchObject({
    owner: null,
    balance: 500,
  });

  await leaveTraces(db, ann._id, 'late'); // a request that began before the deletion
  expect(await eraseDeleted(db, allPersonalData, LATER)).toBeGreaterThan(5);
  expect(await tracesOf(db, ann._id)).toEqual(['people.erasures']);
  expect(await eraseDeleted(db, allPersonalData, LATER)).toBe(0);
  expect(await tracesOf(db, ann._id)).toEqual([]);
});

it('erases what a user of an external issuer leaves, also when asked again', async () => {
  const { db } = database;
  const [gone, other] = [externalId('gone'), externalId('other')];
  for (const id of [gone, other]) await leaveTraces(db, id);
  const before = await tracesOf(db, other);
  const erase = (at: Date) => deleteUser(db, testAct(at), gone, allPersonalData);
  const found = { deletedId: gone };
  expect(await erase(NOW)).toEqual(found);
  await leaveTraces(db, gone, 'with-a-token');
  const again = new Date(NOW.getTime() + SEARCHED_MS - 1);
  expect(await erase(again)).toEqual(found);
  expect(await eraseDeleted(db, allPersonalData, LATER)).toBeGreaterThan(5);
  expect(await eraseDeleted(db, allPersonalData, LATER)).toBe(0);
  expect(await tracesOf(db, gone)).toEqual(['audit']);
  expect(await tracesOf(db, other)).toEqual(before);
  expect(await auditTrail(db).countDocuments({ subject: gone, action: 'USER_DELETED' })).toBe(2);
  expect(await deleteUser(db, testAct(NOW), externalId('unknown'), allPersonalData)).toMatchObject({
    __typename: 'UserNotFound',
  });
  expect(await erasures(db).countDocuments()).toBe(0);
});

it('waits for work that has not ended', async () => {
  const { db } = database;
  const { _id } = await addPerson(db, 'cid');
  await leaveTraces(db, _id);
  await backgroundWork(db).updateMany({ owner: _id }, { $set: { state: 'RUNNING', open: true } });
  await deleteUser(db, testAct(NOW), _id);
  await eraseDeleted(db, allPersonalData, LATER);
  expect(await eraseDeleted(db, allPersonalData, LATER)).toBe(1);
  await backgroundWork(db).updateMany({ owner: _id }, { $set: { state: 'FINISHED' }, $unset: { open: '' } });
  await eraseDeleted(db, allPersonalData, LATER);
  expect(await eraseDeleted(db, allPersonalData, LATER)).toBe(0);
  expect(await tracesOf(db, _id)).toEqual([]);
});

it('does the others if one fails, and tries again', async () => {
  const { db } = database;
  await ensureAdministrator(db, { email: 'admin@example.org', id: 'admin', now: NOW });
  const ids = await Promise.all(['dan', 'eva'].map(async (name) => (await addPerson(db, name))._id));
  for (const id of ids) await deleteUser(db, testAct(NOW), id);
  const [broken] = ids;
  const erase = async (_db: unknown, id: string) => {
    if (id === broken) throw new Error('It cannot be reached');
    return 0;
  };
  await expect(eraseDeleted(db, [{ erase }], LATER)).rejects.toThrow('1 deleted accounts could not be erased');
  expect(await erasures(db).find().toArray()).toEqual([{ _id: broken, requested_at: NOW }]);
  await eraseDeleted(db, allPersonalData, LATER);
  expect(await erasures(db).countDocuments()).toBe(0);
});
