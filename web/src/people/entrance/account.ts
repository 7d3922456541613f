/** What people do with their own accounts. Starting and ending sessions is in `api/session.ts`. */
import { graphql } from '../../../generated/gql.js';
import type { SessionFragment, SignUpInput } from '../../../generated/graphql.js';
import { ask, begin, end, forgetPersonal, inTurn, keepSession, know } from '../../api/session.js';
import { explainRefusal } from '../../kit/base/errors.js';
import { navigate } from '../../kit/base/location.js';

const SignUpDocument = graphql(`
  mutation SignUp($input: SignUpInput!) {
    signUp(input: $input) {
      __typename
      ...Session
      ... on Refusal { message }
      ... on SignInThrottled { retryAfterMs }
    }
  }
`);

const ConfirmSignUpDocument = graphql(`
  mutation ConfirmSignUp($token: String!, $password: String!) {
    confirmSignUp(token: $token, password: $password) {
      __typename
      ...Session
      ... on Refusal { message }
    }
  }
`);

const AcceptInvitationDocument = graphql(`
  mutation AcceptInvitation($input: AcceptInvitationInput!) {
    acceptInvitation(input: $input) {
      __typename
      ...Session
      ... on Refusal { message }
    }
  }
`);

const ChangeNameDocument = graphql(`
  mutation ChangeName($name: String!) {
    changeName(name: $name) { ...Person }
  }
`);

const DeleteAccountDocument = graphql(`
  mutation DeleteAccount($password: String!) {
    deleteAccount(password: $password) {
      __typename
      ... on Refusal { message }
      ... on SignInThrottled { retryAfterMs }
    }
  }
`);

const RequestPasswordResetDocument = graphql(`
  mutation RequestPasswordReset($email: EmailAddress!) {
    requestPasswordReset(email: $email) {
      __typename
      ... on Refusal { message }
      ... on SignInThrottled { retryAfterMs }
    }
  }
`);

const ResetPasswordDocument = graphql(`
  mutation ResetPassword($token: String!, $newPassword: String!) {
    resetPassword(token: $token, newPassword: $newPassword) {
      __typename
      ...Session
      ... on Refusal { message }
    }
  }
`);

/** Starts the session of a new account, on the home page by default. */
function enter(session: SessionFragment, to = '/'): null {
  navigate(to, { replace: true }); // "back" must not return to a used link
  begin(session);
  return null;
}

/**
 * @param to where to go with the new account
 * @returns why it was refused; null once signed in; `mail` if an email was sent to confirm the address
 */
export async function signUp(input: SignUpInput, to = '/'): Promise<{ refusal: string } | 'mail' | null> {
  const { signUp: answer } = await ask(SignUpDocument, { input });
  if (answer.__typename === 'SignedIn') return enter(answer, to);
  if (answer.__typename === 'CheckYourMail') return 'mail';
  return { refusal: explainRefusal(answer) };
}

/** @returns why it was refused, or null */
export async function confirmSignUp(token: string, password: string): Promise<string | null> {
  const { confirmSignUp: answer } = await ask(ConfirmSignUpDocument, { token, password });
  return answer.__typename === 'SignedIn' ? enter(answer) : explainRefusal(answer);
}

/** @returns why it was refused, or null */
export async function acceptInvitation(token: string, name: string, password: string): Promise<string | null> {
  const { acceptInvitation: answer } = await ask(AcceptInvitationDocument, { input: { token, name, password } });
  return answer.__typename === 'SignedIn' ? enter(answer) : explainRefusal(answer);
}

/** @returns why no email was sent, or null */
export async function requestPasswordReset(email: string): Promise<string | null> {
  const { requestPasswordReset: answer } = await ask(RequestPasswordResetDocument, { email });
  return answer.__typename === 'CheckYourMail' ? null : explainRefusal(answer);
}

/** @returns why the password was not changed, or null */
export async function resetPassword(token: string, newPassword: string): Promise<string | null> {
  const { resetPassword: answer } = await ask(ResetPasswordDocument, { token, newPassword });
  return answer.__typename === 'SignedIn' ? enter(answer) : explainRefusal(answer);
}

/** @throws Error why it was refused */
export async function changeName(name: string): Promise<null> {
  await keepSession();
  const { changeName: changed } = await ask(ChangeNameDocument, { name });
  know(changed);
  return null;
}

/** Serialized with renewals: the sockets close and then check the session. @returns why it was refused, or null */
export async function deleteAccount(password: string): Promise<string | null> {
  await keepSession();
  return inTurn(async () => {
    const { deleteAccount: answer } = await ask(DeleteAccountDocument, { password });
    if (answer.__typename !== 'UserDeleted') return explainRefusal(answer);
    navigate('/goodbye', { replace: true });
    forgetPersonal();
    end();
    return null;
  });
}
