/** Sign-in and sign-up in the shop. Afterwards, customers continue where they were. */
import { useState } from 'react';
import { Segmented } from '../../../kit/controls/segmented.js';
import { EmailField, NameField, NewPasswordField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import { Notice } from '../../../kit/display/notice.js';
import { signUp } from '../../../people/entrance/account.js';
import { ForgottenPassword, SignInForm, useSignUpMode } from '../../../people/entrance/sign-in.js';
import styles from './door.module.css';

type Way = 'in' | 'up';

/** @param to the URL to open afterwards */
export function Door({ to }: { to: string }) {
  const mode = useSignUpMode();
  const [way, setWay] = useState<Way>('in');
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  if (mailedTo !== null) {
    return (
      <Notice tone="good" icon="check">
        We sent an email to {mailedTo}. Open its link, then come back. Your cart is kept in this browser.
      </Notice>
    );
  }
  return (
    <div className={styles.door}>
      {(mode === 'OPEN' || mode === 'VERIFIED') && (
        <Segmented
          label="Are you new here?"
          value={way}
          options={[
            { value: 'in', label: 'I have an account' },
            { value: 'up', label: 'I am new here' },
          ]}
          onChange={setWay}
        />
      )}
      {way === 'in' ? <SignInForm /> : <NewCustomerForm to={to} onMailed={setMailedTo} />}
      {way === 'in' && <ForgottenPassword />}
      {mode === 'CLOSED' && (
        <p className="note">Accounts are by invitation only. To get one, ask the staff of this shop.</p>
      )}
    </div>
  );
}

function NewCustomerForm({ to, onMailed }: { to: string; onMailed: (address: string) => void }) {
  const { busy, refusal, submit } = useForm(async (fields) => {
    const email = textOf(fields, 'email').trim();
    const answer = await signUp({ email, name: textOf(fields, 'name'), password: textOf(fields, 'password') }, to);
    if (answer === 'mail') onMailed(email);
    return answer === 'mail' || answer === null ? null : answer.refusal;
  });
  return (
    <form className={styles.form} onSubmit={submit}>
      <NameField />
      <EmailField />
      <NewPasswordField />
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <button type="submit" className="button primary" disabled={busy}>
        {busy ? 'Creating account…' : 'Create account'}
      </button>
    </form>
  );
}
