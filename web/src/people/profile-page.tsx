/** The viewer's account: name, roles, password, data, deletion. */
import { useState } from 'react';
import { changePassword, type Viewer, viewerStore } from '../api/session.js';
import { explainRefusal } from '../kit/base/errors.js';
import { formatDate } from '../kit/base/format.js';
import { useStore } from '../kit/base/store.js';
import { useTitle } from '../kit/base/title.js';
import { Modal } from '../kit/controls/modal.js';
import { ModalForm } from '../kit/controls/modal-form.js';
import { NameField, NewPasswordField, PasswordField } from '../kit/controls/text-field.js';
import { textOf, useForm } from '../kit/controls/use-form.js';
import { Card } from '../kit/display/card.js';
import { Notice } from '../kit/display/notice.js';
import { roles, roleWords } from '../shell/role-words.js';
import { changeName, deleteAccount } from './entrance/account.js';
import { ErasureRules, ErasureSummary } from './erasure-rules.js';
import { OwnDataCard } from './own-data-card.js';
import styles from './profile-page.module.css';

export function ProfilePage() {
  const viewer = useStore(viewerStore);
  useTitle('Profile');
  if (!viewer) return null;
  return (
    <div className={styles.page}>
      <h1>Profile</h1>
      <AboutCard viewer={viewer} />
      <PasswordCard email={viewer.email} />
      <OwnDataCard />
      <DeletionCard viewer={viewer} />
    </div>
  );
}

function AboutCard({ viewer: { name, email, roles: held, createdAt } }: { viewer: Viewer }) {
  const [saved, setSaved] = useState(false);
  const { busy, refusal, submit } = useForm(async (fields) => {
    setSaved(false);
    await changeName(textOf(fields, 'name'));
    setSaved(true);
    return null;
  });
  const words = roles.filter((role) => held.includes(role)).map((role) => roleWords[role]);
  return (
    <Card title="About you" bodyClass={styles.columns}>
      <form className={styles.form} onSubmit={submit}>
        <NameField defaultValue={name} />
        <Outcome refusal={refusal} done={saved ? 'Saved' : null} />
        <div>
          <button type="submit" className="button" disabled={busy}>
            {busy ? 'Saving…' : 'Save name'}
          </button>
        </div>
      </form>
      <dl className={styles.facts}>
        <div>
          <dt>Email</dt>
          <dd>{email}</dd>
        </div>
        <div>
          <dt>Account since</dt>
          <dd>{formatDate(Date.parse(createdAt))}</dd>
        </div>
        <div>
          <dt>Roles</dt>
          {words.length === 0 && <dd>none yet: an administrator can grant them</dd>}
          {words.map((word) => (
            <dd key={word.name}>
              {word.name} <span className="note">{word.meaning}</span>
            </dd>
          ))}
        </div>
      </dl>
    </Card>
  );
}

function PasswordCard({ email }: { email: string }) {
  const [changed, setChanged] = useState(false);
  const [changes, setChanges] = useState(0);
  const { busy, refusal, submit } = useForm(async (fields, form) => {
    setChanged(false);
    const answer = await changePassword(textOf(fields, 'password'), textOf(fields, 'newPassword'));
    if (answer.__typename !== 'SignedIn') {
      return answer.__typename === 'WrongCredentials' ? 'The current password is incorrect.' : explainRefusal(answer);
    }
    form.reset();
    setChanges(changes + 1);
    setChanged(true);
    return null;
  });
  return (
    <Card title="Password">
      <form className={styles.form} onSubmit={submit}>
        {/* Tells password managers whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordField label="Current password" aria-invalid={refusal !== null} />
        <NewPasswordField key={changes} label="New password" name="newPassword" />
        <Outcome refusal={refusal} done={changed ? 'Changed. You are signed out on all other devices.' : null} />
        <div className={styles.row}>
          <button type="submit" className="button" disabled={busy}>
            {busy ? 'Changing…' : 'Change password'}
          </button>
          <span className="note">This signs you out on all other devices.</span>
        </div>
      </form>
    </Card>
  );
}

function Outcome({ refusal, done }: { refusal: string | null; done: string | null }) {
  if (refusal !== null) return <Notice tone="bad">{refusal}</Notice>;
  if (done === null) return null;
  return (
    <Notice tone="good" icon="check">
      {done}
    </Notice>
  );
}

function DeletionCard({ viewer }: { viewer: Viewer }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Delete account" bodyClass={styles.row}>
      <p className={styles.text}>
        Your sessions end, and nobody can sign in with this account afterwards. What is stored about you is erased
        within some minutes, except what must stay.
      </p>
      <button type="button" className="button danger" onClick={() => setOpen(true)}>
        Delete my account
      </button>
      <ErasureRules />
      {open && <DeletionModal email={viewer.email} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function DeletionModal({ email, onClose }: { email: string; onClose: () => void }) {
  const form = useForm(async (fields) => deleteAccount(textOf(fields, 'password')));
  return (
    <Modal
      title="Delete your account?"
      description={`The account of ${email} and all its sessions will be deleted immediately, and what it leaves within some minutes. This cannot be undone.`}
      open
      onOpenChange={onClose}
    >
      <ModalForm form={form} yes="Delete permanently" doing="Deleting…" danger no={{ words: 'Cancel', act: onClose }}>
        <ErasureSummary />
        <PasswordField label="Your password" aria-invalid={form.refusal !== null} />
      </ModalForm>
    </Modal>
  );
}
