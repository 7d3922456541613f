/** The pages to create an account, to confirm it, to accept an invitation, and after the account was deleted. */
import { useState } from 'react';
import { useLocation } from '../../kit/base/location.js';
import { Link } from '../../kit/controls/link.js';
import { EmailField, NameField, NewPasswordField, PasswordField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Notice } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import { signInAddress } from '../../shell/visitor-frame.js';
import { acceptInvitation, confirmSignUp, signUp } from './account.js';
import { BrokenLink, CheckYourMail, Entrance, SomebodyIsHere } from './entrance.js';
import styles from './entrance.module.css';
import { useSignUpMode } from './sign-in.js';
import { wayBack } from './way-back.js';

export function SignUpPage() {
  const mode = useSignUpMode();
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const to = wayBack(useLocation().query);
  if (mailedTo !== null) return <CheckYourMail address={mailedTo} good="24 hours" />;
  return (
    <Entrance title="Sign up">
      {mode === null && <SkeletonRows rows={4} height="48px" />}
      {mode === 'CLOSED' && (
        <Notice tone="plain" icon="key">
          Accounts are by invitation only. To get one, ask an administrator.
        </Notice>
      )}
      {(mode === 'OPEN' || mode === 'VERIFIED') && <SignUpForm to={to} onMailed={setMailedTo} />}
      <p className={`note ${styles.more}`}>
        Already have an account? <Link href={to === '/' ? to : signInAddress(to)}>Sign in</Link>
      </p>
    </Entrance>
  );
}

function SignUpForm({ to, onMailed }: { to: string; onMailed: (address: string) => void }) {
  const { busy, refusal, submit } = useForm(async (fields) => {
    const email = textOf(fields, 'email').trim();
    const answer = await signUp({ email, name: textOf(fields, 'name'), password: textOf(fields, 'password') }, to);
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

/** The target of the email's link. Its token follows `#`, so that no server sees it. */
export function ConfirmPage() {
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
      <SomebodyIsHere then="When the new account is created" />
    </Entrance>
  );
}

export function InvitationPage() {
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
            Choose a name and a password. You will sign in with the email address of the invitation.
          </p>
          <NameField autoFocus />
          <NewPasswordField />
          {refusal && <Notice tone="bad">{refusal}</Notice>}
          <button type="submit" className="button primary" disabled={busy}>
            {busy ? 'Creating account…' : 'Accept invitation'}
          </button>
        </form>
      )}
      <SomebodyIsHere then="When the new account is created" />
    </Entrance>
  );
}

export function GoodbyePage() {
  return (
    <Entrance title="Your account is deleted">
      <p>All its sessions have ended. Goodbye, and thank you.</p>
      <Link href="/">Back to sign-in</Link>
    </Entrance>
  );
}
