import { expect, it } from 'vitest';
import { accountOf } from '../../../src/server/identity/allowance-account.js';
import { visitor } from '../../../src/server/identity/viewer.js';

it('visitors from one network share an account, because an IPv6 customer has any number of addresses', () => {
  expect(accountOf(visitor, '2001:db8:1:2::1')).toBe(accountOf(visitor, '2001:db8:1:2:aaaa::9'));
  expect(accountOf(visitor, '2001:db8:1:3::1')).not.toBe(accountOf(visitor, '2001:db8:1:2::1'));
  expect(accountOf(visitor, '::ffff:192.0.2.1')).toBe(accountOf(visitor, '192.0.2.1'));
  expect(accountOf(visitor, '192.0.2.2')).not.toBe(accountOf(visitor, '192.0.2.1'));
});
