/** Creates user accounts for tests of the dashboard the way people do: by accepting an invitation. */

import type { Product } from '../../../harness/product.js';
import type { Role } from '../../../src/models/people/user.js';
import type { Credentials } from './dashboard.js';

const PASSWORD = 'correct horse battery staple';

/** @returns the link of a new invitation */
export async function inviteBy(product: Product, email: string, roles: readonly Role[]): Promise<string> {
  const { data } = await product.request<{ invite: { link: string } }>(
    'mutation ($input: InviteInput!) { invite(input: $input) { ... on Invited { link } } }',
    { input: { email, roles } },
  );
  if (!data) throw new Error(`${email} could not be invited`);
  return data.invite.link;
}

/** Creates a user account. @returns its credentials */
export async function addAccount(product: Product, name: string, roles: readonly Role[]): Promise<Credentials> {
  const email = `${name.toLowerCase()}@example.org`;
  const token = new URL(await inviteBy(product, email, roles)).hash.slice(1);
  const answer = await product.request<{ acceptInvitation: { __typename: string } }>(
    'mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { __typename } }',
    { input: { token, name, password: PASSWORD } },
    null,
  );
  if (answer.data?.acceptInvitation.__typename !== 'SignedIn')
    throw new Error(`The account of ${name} could not be created`);
  return { email, password: PASSWORD };
}
