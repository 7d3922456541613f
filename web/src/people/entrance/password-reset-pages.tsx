/** Password reset: requesting an email, and choosing a new password through its link. */
import { useState } from 'react';
import { useLocation } from '../../kit/base/location.js';
import { Link } from '../../kit/controls/link.js';
import { EmailField, NewPasswordField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Notice } from '../../kit/display/notice.js';
import { requestPasswordReset, resetPassword } from './account.js';
import { BrokenLink, CheckYourMail, Entrance, SomebodyIsHere } from './entrance.js';
import styles from './entrance.module.css';

export function ForgottenPasswordPage() {
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const { busy, refusal, submit } = useForm(async (fields) => {
    const email = textOf(fields, 'email').trim();
    const refused = await requestPasswordReset(email);
    if (refused === null) setMailedTo(email);
    return refused;
  });
  if (mailedTo !== null) return <CheckYourMail address={mailedTo} good="an hour" />;
  return (
    <Entrance title="Forgot your password?">
      <form className={styles.form} onSubmit={submit}>
        <p className={styles.lead}>Enter your email address to receive a link to choose a new password.</p>
        <EmailField autoFocus />
        {refusal && <Notice tone="bad">{refusal}</Notice>}
        <button type="submit" className="button primary" disabled={busy}>
          {busy ? 'Sending…' : 'Send email'}
        </button>
      </form>
      <p className={`note ${styles.more}`}>
        Remember it? <Link href="/">Sign in</Link>
      </p>
    </Entrance>
  );
}

/** The target of the email's link. Its token follows `#`, so that no server sees it. */
export function NewPasswordPage() {
  const token = useLocation().fragment;
  const { busy, refusal, submit } = useForm((fields) => resetPassword(token, textOf(fields, 'newPassword')));
  return (
    <Entrance title="Choose a new password">
      {token === '' ? (
        <BrokenLink />
      ) : (
        <form className={styles.form} onSubmit={submit}>
          <p className={styles.lead}>You will be signed out everywhere else.</p>
          <NewPasswordField label="New password" name="newPassword" />
          {refusal && <Notice tone="bad">{refusal}</Notice>}
          <button type="submit" className="button primary" disabled={busy}>
            {busy ? 'Changing…' : 'Change password'}
          </button>
        </form>
      )}
      <SomebodyIsHere then="When the password is changed" />
    </Entrance>
  );
}
