import { beforeEach, describe, expect, it } from 'vitest';
import { acceptInvitation, findInvitations, invite, withdrawInvitation } from '../../src/models/people/invitation.js';
import { users } from '../../src/models/people/user.js';
import { DAY_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { addPerson, sessionRules, testAct } from '../support/people.js';

const database = useDatabase();
const NOW = new Date();
const later = (ms: number) => new Date(NOW.getTime() + ms);
const address = '192.0.2.1';
const PASSWORD = 'correct horse battery staple';
const ann = { email: 'ann@example.org', password: PASSWORD, name: ' Ann ', address };
const act = testAct(NOW);
const people = () => users(database.db).find().sort({ email: 1 }).toArray();

beforeEach(async () => {
  const names = ['users', 'audit', 'auth.throttles', 'auth.refresh_tokens', 'auth.sign_ups', 'auth.invitations'];
  for (const name of names) await database.db.collection(name).deleteMany({});
});

const isTokenNotGood = (outcome: object) => '__typename' in outcome && outcome.__typename === 'TokenNotGood';

describe('an invitation', () => {
  const inviteAnn = async () => {
    const invited = await invite(database.db, act, { email: ann.email, roles: ['EDITOR', 'MEMBER', 'EDITOR'] });
    if (!('token' in invited)) throw new Error('Not invited');
    return invited;
  };
  const accept = (token: string, now = NOW) =>
    acceptInvitation(database.db, sessionRules, { token, name: 'Ann', password: PASSWORD }, now);

  it('creates the invited account, once', async () => {
    const { token, invitation } = await inviteAnn();
    expect(JSON.stringify(invitation)).not.toContain(token);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
    expect(outcomes.filter((outcome) => 'session' in outcome)).toHaveLength(1);
    expect(outcomes.filter(isTokenNotGood)).toHaveLength(3);
    expect(await people()).toMatchObject([{ email: ann.email, roles: ['EDITOR', 'MEMBER'] }]);
    expect(await findInvitations(database.db, NOW)).toEqual([]);
  });

  it('is invalid after a newer one, after withdrawal, and after a week', async () => {
    const first = await inviteAnn();
    const second = await inviteAnn();
    expect(await accept(first.token)).toMatchObject({ __typename: 'TokenNotGood' });
    expect(await accept(second.token, later(7 * DAY_MS))).toMatchObject({ __typename: 'TokenNotGood' });
    expect(await findInvitations(database.db, NOW)).toMatchObject([{ _id: ann.email }]);
    expect(await withdrawInvitation(database.db, act, ann.email)).toBe(true);
    expect(await withdrawInvitation(database.db, act, ann.email)).toBe(false);
    expect(await accept(second.token)).toMatchObject({ __typename: 'TokenNotGood' });
    expect(await people()).toEqual([]);
    const recorded = await database.db.collection('audit').find().sort({ _id: 1 }).toArray();
    expect(recorded.map(({ action }) => action)).toEqual(['USER_INVITED', 'USER_INVITED', 'INVITATION_WITHDRAWN']);
  });

  it('is refused for an address that has an account, even if the account was created later', async () => {
    const { token } = await inviteAnn();
    await addPerson(database.db, 'ann');
    expect(await accept(token)).toMatchObject({ __typename: 'EmailTaken' });
    expect(await invite(database.db, act, { email: ann.email, roles: [] })).toMatchObject({ __typename: 'EmailTaken' });
    expect(await people()).toHaveLength(1);
  });
});
