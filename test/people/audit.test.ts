import { beforeAll, describe, expect, it } from 'vitest';
import { findAuditTrail } from '../../src/models/people/audit.js';
import { grantRole } from '../../src/models/people/role.js';
import { users } from '../../src/models/people/user.js';
import { useDatabase } from '../support/database.js';
import { addPerson, testAct } from '../support/people.js';

const database = useDatabase();
const NOW = new Date();
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe('the audit trail', () => {
  beforeAll(async () => {
    await database.db.collection('audit').deleteMany({});
    const ann = await addPerson(database.db, 'ann');
    await grantRole(database.db, testAct(later(0)), ann._id, 'MEMBER');
    // Three entries with the same time.
    for (const role of ['EDITOR', 'ADVERTISER', 'ADMIN'] as const)
      await grantRole(database.db, testAct(later(10)), ann._id, role);
  });

  it('shows who did what, when, and from where, newest first, page by page', async () => {
    const pages: (string | undefined)[][] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const page: Awaited<ReturnType<typeof findAuditTrail>> = await findAuditTrail(database.db, { first: 2, after });
      pages.push(page.edges.map(({ node }) => node.detail));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(pages).toEqual([
      ['ADMIN', 'ADVERTISER'],
      ['EDITOR', 'MEMBER'],
    ]);
    const { edges } = await findAuditTrail(database.db, { first: 1 });
    expect(edges[0]?.node).toMatchObject({
      at: later(10),
      actor: 'admin@example.org',
      address: '192.0.2.1',
      action: 'ROLE_GRANTED',
      subject: 'ann@example.org',
      expires_at: later(10 + 730 * 86_400_000),
    });
  });

  it('has an entry if and only if the action took effect', async () => {
    const bob = await addPerson(database.db, 'bob');
    const before = await database.db.collection('audit').countDocuments();
    // If the database rejects the entry, the action is rolled back with it.
    const broken = { ...testAct(), actor: 'x'.repeat(17_000_000) };
    await expect(grantRole(database.db, broken, bob._id, 'ADMIN')).rejects.toThrow();
    expect((await users(database.db).findOne({ _id: bob._id }))?.roles).toEqual([]);
    expect(await database.db.collection('audit').countDocuments()).toBe(before);
  });

  it.each([0, 501])('refuses a page of %i', async (first) => {
    await expect(findAuditTrail(database.db, { first })).rejects.toThrow('first must be');
  });
});
