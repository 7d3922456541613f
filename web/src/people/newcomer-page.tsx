/**
 * The pages of people who cannot sign in: to make an account, to confirm it, to take up an invitation, when the password is forgotten; and
 * when the account is gone.
 */
import { useState } from 'react';
import { useLocation } from '../location.js';
import { Link } from '../parts/link.js';
import { Notice } from '../parts/notice.js';
import { SkeletonRows } from '../parts/skeleton.js';
import { EmailField, NameField, NewPasswordField, PasswordField } from '../parts/text-field.js';
import { textOf, useForm } from '../parts/use-form.js';
import { acceptInvitation, confirmSignUp, signUp } from './account.js';
import { BrokenLink, CheckYourMail, Entrance, SomebodyIsHere } from './entrance.js';
import styles from './entrance.module.css';
import { ForgottenPasswordPage, NewPasswordPage } from './password-reset-page.js';
import { useSignUpMode } from './sign-in.js';

export function NewcomerPage({ path }: { path: string }) {
  switch (path) {
    case '/invitation':
      return <InvitationPage />;
    case '/confirm':
      return <ConfirmPage />;
    case '/forgot':
      return <ForgottenPasswordPage />;
    case '/reset':
      return <NewPasswordPage />;
    case '/goodbye':
      return <GoodbyePage />;
    default:
      return <SignUpPage />;
  }
}

function SignUpPage() {
  const mode = useSignUpMode();
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  if (mailedTo !== null) return <CheckYourMail address={mailedTo} good="24 hours" />;
  return (
    <Entrance title="Sign up">
      {mode === null && <SkeletonRows rows={4} height="48px" />}
      {mode === 'CLOSED' && (
        <Notice tone="plain" icon="key">
          Accounts are made by invitation: ask an administrator for one.
        </Notice>
      )}
      {(mode === 'OPEN' || mode === 'VERIFIED') && <SignUpForm onMailed={setMailedTo} />}
      <p className={`note ${styles.more}`}>
        You have an account? <Link href="/">Sign in</Link>
      </p>
    </Entrance>
  );
}

function SignUpForm({ onMailed }: { onMailed: (address: string) => void }) {
  const { busy, refusal, submit } = useForm(async (fields) => {
    const email = textOf(fields, 'email').trim();
    const answer = await signUp({ email, name: textOf(fields, 'name'), password: textOf(fields, 'password') });
    if (answer === 'mail') onMailed(email);
    return answer === 'mail' || answer === null ? null : answer.refusal;
  });
  return (
    <form className={styles.form} onSubmit={submit}>
      <NameField autoFocus />
      <EmailField />
      <NewPasswordField />
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <button type="submit" className="button primary" disabled={busy}>
        {busy ? 'Signing up…' : 'Sign up'}
      </button>
    </form>
  );
}

/** The mail's link: its token stands behind `#`, where no server sees it. */
function ConfirmPage() {
  const token = useLocation().fragment;
  const { busy, refusal, submit } = useForm((fields) => confirmSignUp(token, textOf(fields, 'password')));
  return (
    <Entrance title="Confirm your account">
      {token === '' ? (
        <BrokenLink />
      ) : (
        <form className={styles.form} onSubmit={submit}>
          <p className={styles.lead}>Enter the password that you chose when you signed up.</p>
          <PasswordField autoFocus aria-invalid={refusal !== null} />
          {refusal && <Notice tone="bad">{refusal}</Notice>}
          <button type="submit" className="button primary" disabled={busy}>
            {busy ? 'Confirming…' : 'Confirm'}
          </button>
        </form>
      )}
      <SomebodyIsHere then="When the new account is made" />
    </Entrance>
  );
}

function InvitationPage() {
  const token = useLocation().fragment;
  const { busy, refusal, submit } = useForm((fields) =>
    acceptInvitation(token, textOf(fields, 'name'), textOf(fields, 'password')),
  );
  return (
    <Entrance title="Welcome to Sextant">
      {token === '' ? (
        <BrokenLink />
      ) : (
        <form className={styles.form} onSubmit={submit}>
          <p className={styles.lead}>
            You have been invited. Choose a name and a password; you sign in with the address of the invitation.
          </p>
          <NameField autoFocus />
          <NewPasswordField />
          {refusal && <Notice tone="bad">{refusal}</Notice>}
          <button type="submit" className="button primary" disabled={busy}>
            {busy ? 'Making the account…' : 'Accept the invitation'}
          </button>
        </form>
      )}
      <SomebodyIsHere then="When the new account is made" />
    </Entrance>
  );
}

function GoodbyePage() {
  return (
    <Entrance title="Your account is deleted">
      <p>All its sessions have ended. Good-bye, and thank you.</p>
      <Link href="/">Back to sign-in</Link>
    </Entrance>
  );
}
