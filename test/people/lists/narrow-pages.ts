/** The pages of people with long content. */
import type { Product } from '../../../harness/product.js';
import { inviteBy } from '../../browser/support/accounts.js';
import { ask, LONG, type NarrowPages } from '../../browser/support/narrow-pages.js';

export const narrowPages: NarrowPages = {
  fill,
  forAdministrators: [
    ['/people', '/people', LONG],
    ['/people/keys', '/people/keys', LONG],
    ['/people/audit', '/people/audit', LONG],
    ['/profile', '/profile', LONG],
  ],
  forVisitors: [
    ['/', '/', 'Sign in'],
    ['/sign-up', '/sign-up', 'Sign up'],
    ['/forgot', '/forgot', 'Email'],
    ['/goodbye', '/goodbye', 'account'],
    ['/invitation', '/invitation#not-an-invitation', 'invitation'],
    ['/confirm', '/confirm#not-a-token', 'Confirm your account'],
    ['/reset', '/reset#not-a-token', 'password'],
  ],
};

async function fill(product: Product): Promise<void> {
  await ask(product, 'mutation ($name: String!) { changeName(name: $name) { id } }', { name: LONG });
  await inviteBy(product, `${'a'.repeat(60)}@${'long-name.'.repeat(12)}example`, ['EDITOR', 'MEMBER']);
  await ask(
    product,
    'mutation ($name: String!) { createApiKey(input: { name: $name, scopes: [HITS_READ] }) { key } }',
    {
      name: LONG,
    },
  );
}
