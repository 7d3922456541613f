/** The sign-in page. */
import { useEffect, useState } from 'react';
import { graphql } from '../../../generated/gql.js';
import { signIn } from '../../api/session.js';
import { useData } from '../../api/use-data.js';
import { formatSpan } from '../../kit/base/format.js';
import { useLocation } from '../../kit/base/location.js';
import { Link } from '../../kit/controls/link.js';
import { EmailField, PasswordField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Notice } from '../../kit/display/notice.js';
import { Entrance } from './entrance.js';
import styles from './entrance.module.css';
import { signUpAddress } from './way-back.js';

const EntranceDocument = graphql(`
  query Entrance {
    signUpMode
    passwordResetOffered
  }
`);

const nothing = {};

/** Null until the server has responded. */
const useEntrance = () => useData(EntranceDocument, nothing).data ?? null;

/** Who may create an account. Null until the server has responded. */
export const useSignUpMode = () => useEntrance()?.signUpMode ?? null;

/** The link for a forgotten password, if the server sends email. */
export function ForgottenPassword() {
  if (!useEntrance()?.passwordResetOffered) return null;
  return (
    <p className="note">
      <Link href="/forgot">Forgot your password?</Link>
    </p>
  );
}

export function SignInPage() {
  return (
    <Entrance title="Sign in to Sextant">
      <SignInForm />
      <HowToGetIn />
    </Entrance>
  );
}

/** Has a fixed minimum height, so that the layout does not shift. */
export function HowToGetIn() {
  const mode = useSignUpMode();
  const { path } = useLocation();
  return (
    <div className={`note ${styles.more}`}>
      <ForgottenPassword />
      {mode === 'CLOSED' && (
        <p>
          Accounts are by invitation only. The address and password of the first account were printed when the server
          was first started.
        </p>
      )}
      {(mode === 'OPEN' || mode === 'VERIFIED') && (
        <p>
          No account yet? <Link href={signUpAddress(path)}>Sign up</Link>
        </p>
      )}
    </div>
  );
}

/** @param onSignedIn called after the session has started, in addition to the update of the viewer store */
export function SignInForm({ onSignedIn }: { onSignedIn?: () => void }) {
  const [waitSeconds, setWaitSeconds] = useState(0);
  const { busy, refusal, submit } = useForm(async (fields) => {
    const answer = await signIn(textOf(fields, 'email'), textOf(fields, 'password'));
    if (answer.__typename === 'SignInThrottled') setWaitSeconds(Math.ceil(answer.retryAfterMs / 1000));
    if (answer.__typename !== 'SignedIn') return answer.message;
    onSignedIn?.();
    return null;
  });

  useEffect(() => {
    if (waitSeconds <= 0) return;
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [waitSeconds]);

  return (
    <form className={styles.form} onSubmit={submit}>
      <EmailField autoFocus />
      <PasswordField aria-invalid={refusal !== null} />
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <button type="submit" className="button primary" disabled={busy || waitSeconds > 0}>
        {waitSeconds > 0 ? `Wait ${formatSpan(waitSeconds)}` : busy ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}
