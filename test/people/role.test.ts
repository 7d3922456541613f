import { beforeEach, describe, expect, it } from 'vitest';
import { deleteUser } from '../../src/models/people/account-deletion.js';
import { lacksAdministrator } from '../../src/models/people/invariants.js';
import { grantRole, revokeRole } from '../../src/models/people/role.js';
import { type Role, type UserDocument, users } from '../../src/models/people/user.js';
import { useDatabase } from '../support/database.js';
import { addPerson, testAct } from '../support/people.js';

const database = useDatabase();
const act = testAct();
const person = (name: string, roles: readonly Role[] = []) => addPerson(database.db, name, roles);
const audit = () =>
  database.db
    .collection('audit')
    .find({}, { projection: { _id: 0, action: 1, subject: 1, detail: 1 } })
    .sort({ _id: 1 })
    .toArray();
const rolesOf = async ({ _id }: UserDocument) => (await users(database.db).findOne({ _id }))?.roles;
const grant = (user: UserDocument, role: Role) => grantRole(database.db, act, user._id, role);
const revoke = (user: UserDocument, role: Role) => revokeRole(database.db, act, user._id, role);

beforeEach(async () => {
  for (const name of ['users', 'audit', 'counters']) await database.db.collection(name).deleteMany({});
});

describe('granting and revoking a role', () => {
  it('changes the roles and is audited, each in one step', async () => {
    const ann = await person('ann', ['MEMBER']);
    expect(await grant(ann, 'EDITOR')).toMatchObject({ roles: ['MEMBER', 'EDITOR'] });
    expect(await revoke(ann, 'MEMBER')).toMatchObject({ roles: ['EDITOR'] });
    expect(await audit()).toEqual([
      { action: 'ROLE_GRANTED', subject: 'ann@example.org', detail: 'EDITOR' },
      { action: 'ROLE_REVOKED', subject: 'ann@example.org', detail: 'MEMBER' },
    ]);
  });

  it('changes and audits nothing when there is nothing to change', async () => {
    const ann = await person('ann', ['MEMBER']);
    expect(await grant(ann, 'MEMBER')).toMatchObject({ roles: ['MEMBER'] });
    expect(await revoke(ann, 'EDITOR')).toMatchObject({ roles: ['MEMBER'] });
    expect(await grantRole(database.db, act, 'nobody', 'EDITOR')).toBeNull();
    expect(await revokeRole(database.db, act, 'nobody', 'EDITOR')).toBeNull();
    expect(await audit()).toEqual([]);
  });

  it('grants a role once under ten concurrent calls', async () => {
    const ann = await person('ann');
    await Promise.all(Array.from({ length: 10 }, () => grant(ann, 'EDITOR')));
    expect(await rolesOf(ann)).toEqual(['EDITOR']);
    expect(await audit()).toHaveLength(1);
  });
});

describe('the last administrator', () => {
  it('keeps the role and cannot be deleted', async () => {
    const ann = await person('ann', ['ADMIN', 'MEMBER']);
    await person('bob', ['EDITOR']);
    await expect(revoke(ann, 'ADMIN')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await deleteUser(database.db, act, ann._id)).toMatchObject({ __typename: 'LastAdministrator' });
    expect(await rolesOf(ann)).toEqual(['ADMIN', 'MEMBER']);
    expect(await audit()).toEqual([]);
  });

  it('may lose other roles, and also this one when there is another administrator', async () => {
    const ann = await person('ann', ['ADMIN', 'MEMBER']);
    expect(await revoke(ann, 'MEMBER')).toMatchObject({ roles: ['ADMIN'] });
    const bob = await person('bob', ['ADMIN']);
    expect(await revoke(ann, 'ADMIN')).toMatchObject({ roles: [] });
    await expect(revoke(bob, 'ADMIN')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('remains when all administrators remove each other concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const all = await Promise.all(['ann', 'bob', 'cid', 'dan'].map((name) => person(`${name}${round}`, ['ADMIN'])));
      const outcomes = await Promise.allSettled(
        all.map((user, at) => (at % 2 === 0 ? revoke(user, 'ADMIN') : deleteUser(database.db, act, user._id))),
      );
      expect(await lacksAdministrator(database.db)).toBe(false);
      expect(await users(database.db).countDocuments({ roles: 'ADMIN' })).toBe(1);
      const refused = outcomes.filter(
        (outcome) => outcome.status === 'rejected' || (outcome.value && '__typename' in outcome.value),
      );
      expect(refused).toHaveLength(1);
      await users(database.db).deleteMany({});
    }
  });
});

describe('deleting a user', () => {
  it('is audited with the address of the account', async () => {
    await person('ann', ['ADMIN']);
    const bob = await person('bob', ['MEMBER']);
    expect(await deleteUser(database.db, act, bob._id)).toEqual({ deletedId: bob._id });
    expect(await deleteUser(database.db, act, bob._id)).toMatchObject({ __typename: 'UserNotFound' });
    expect(await audit()).toEqual([{ action: 'USER_DELETED', subject: 'bob@example.org' }]);
  });
});
