/** User accounts and invitations, as administrators manage them. */
import { graphql } from '../../generated/gql.js';
import type { InviteMutation, PersonFragment, Role } from '../../generated/graphql.js';
import { mutate } from '../api/client.js';

export type Person = PersonFragment;

export const PeopleDocument = graphql(`
  query People($first: Int!, $after: String) {
    people(first: $first, after: $after) {
      edges { cursor node { ...Person } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const GrantRoleDocument = graphql(`
  mutation GrantRole($userId: ID!, $role: Role!) {
    grantRole(userId: $userId, role: $role) { ...Person }
  }
`);

const RevokeRoleDocument = graphql(`
  mutation RevokeRole($userId: ID!, $role: Role!) {
    revokeRole(userId: $userId, role: $role) { ...Person }
  }
`);

const DeleteUserDocument = graphql(`
  mutation DeleteUser($userId: ID!) {
    deleteUser(userId: $userId) {
      __typename
      ... on Refusal { message }
    }
  }
`);

const InviteDocument = graphql(`
  mutation Invite($input: InviteInput!) {
    invite(input: $input) {
      __typename
      ... on Invited { link invitation { id email expiresAt } }
      ... on Refusal { message }
    }
  }
`);

const WithdrawInvitationDocument = graphql(`
  mutation WithdrawInvitation($id: ID!) {
    withdrawInvitation(id: $id) { withdrawn }
  }
`);

/** Types of lists that may be empty, for the cache. */
const ofPeople = { additionalTypenames: ['User'] };
export const ofInvitations = { additionalTypenames: ['Invitation'] };

/** Grants roles first, then revokes; stops at the first refusal. @returns the refusal, or null */
export async function changeRoles({ id, roles }: Person, wanted: readonly Role[]): Promise<string | null> {
  for (const role of wanted.filter((name) => !roles.includes(name))) {
    const answer = await mutate(GrantRoleDocument, { userId: id, role });
    if (typeof answer === 'string') return answer;
  }
  for (const role of roles.filter((name) => !wanted.includes(name))) {
    const answer = await mutate(RevokeRoleDocument, { userId: id, role });
    if (typeof answer === 'string') return answer;
  }
  return null;
}

/** @returns why it was refused, or null */
export async function deletePerson(userId: string): Promise<string | null> {
  const answer = await mutate(DeleteUserDocument, { userId }, ofPeople);
  if (typeof answer === 'string') return answer;
  const { deleteUser: outcome } = answer;
  return outcome.__typename === 'LastAdministrator' ? outcome.message : null; // otherwise it is deleted, perhaps by someone else
}

export type Invited = Extract<InviteMutation['invite'], { __typename: 'Invited' }>;

/** @returns the invitation, or why it was refused */
export async function invite(email: string, roles: readonly Role[]): Promise<Invited | string> {
  const answer = await mutate(InviteDocument, { input: { email, roles: [...roles] } }, ofInvitations);
  if (typeof answer === 'string') return answer;
  return answer.invite.__typename === 'Invited' ? answer.invite : answer.invite.message;
}

/** @returns what went wrong, or null */
export async function withdrawInvitation(id: string): Promise<string | null> {
  const answer = await mutate(WithdrawInvitationDocument, { id }, ofInvitations);
  return typeof answer === 'string' ? answer : null;
}
