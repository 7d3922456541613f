/** The way in. */
import { type FormEvent, useEffect, useState } from 'react';
import { formatSpan } from '../parts/format.js';
import { Logo } from '../parts/logo.js';
import { Notice } from '../parts/notice.js';
import { signIn } from '../session.js';
import { ThemeButton } from '../shell/header.js';
import styles from './sign-in.module.css';

export function SignInPage() {
  return (
    <main className={styles.page} id="main">
      <div className={styles.theme}>
        <ThemeButton />
      </div>
      <div className={styles.card}>
        <Logo size={40} />
        <h1>Sign in to Sextant</h1>
        <SignInForm />
        <p className="note">
          The server printed the administrator’s address and password when it was started for the first time.
        </p>
      </div>
    </main>
  );
}

/** @param onSignedIn called after the session has begun, beside the change of the viewer store */
export function SignInForm({ onSignedIn }: { onSignedIn?: () => void }) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [waitSeconds, setWaitSeconds] = useState(0);

  useEffect(() => {
    if (waitSeconds <= 0) return;
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [waitSeconds]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setRefusal(null);
    try {
      const answer = await signIn(String(form.get('email')), String(form.get('password')));
      if (answer.__typename === 'SignedIn') return onSignedIn?.();
      if (answer.__typename === 'SignInThrottled') setWaitSeconds(Math.ceil(answer.retryAfterMs / 1000));
      setRefusal(answer.message);
    } catch (error) {
      const unreachable = error instanceof TypeError;
      setRefusal(unreachable ? 'The server cannot be reached. Is it running?' : (error as Error).message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <div className="field">
        <label htmlFor="email">E-mail</label>
        <input
          className="input"
          id="email"
          name="email"
          type="email"
          autoComplete="username"
          required
          // biome-ignore lint/a11y/noAutofocus: the page has this one purpose
          autoFocus
        />
      </div>
      <div className="field">
        <label htmlFor="password">Password</label>
        <input
          className="input"
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={1024}
          required
          aria-invalid={refusal !== null}
        />
      </div>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <button type="submit" className="button primary" disabled={busy || waitSeconds > 0}>
        {waitSeconds > 0 ? `Wait ${formatSpan(waitSeconds)}` : busy ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}
