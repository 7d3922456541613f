/** Creates an API key and shows it once. */
import { useState } from 'react';
import type { Scope } from '../../generated/graphql.js';
import { domainsStore } from '../api/session.js';
import { useStore } from '../kit/base/store.js';
import { Choices } from '../kit/controls/choices.js';
import { Modal } from '../kit/controls/modal.js';
import styles from '../kit/controls/modal.module.css';
import { ModalForm } from '../kit/controls/modal-form.js';
import { ShownOnce } from '../kit/controls/shown-once.js';
import { TextField } from '../kit/controls/text-field.js';
import { textOf, useForm } from '../kit/controls/use-form.js';
import { scopesOf } from './all-words.js';
import { createApiKey, type NewKey } from './keys.js';

export function CreateKeyModal({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewKey | null>(null);
  return (
    <Modal
      title={created ? `API key “${created.name}”` : 'Create an API key'}
      open
      onOpenChange={onClose}
      steady={created !== null}
    >
      {created ? <KeyToTake created={created} onClose={onClose} /> : <CreateKeyForm onCreated={setCreated} />}
    </Modal>
  );
}

function CreateKeyForm({ onCreated }: { onCreated: (created: NewKey) => void }) {
  const domains = useStore(domainsStore);
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const form = useForm(async (fields) => {
    if (chosen.length === 0) return 'Choose at least one scope.';
    const answer = await createApiKey(textOf(fields, 'name'), chosen);
    if (typeof answer === 'string') return answer;
    onCreated(answer);
    return null;
  });
  return (
    <ModalForm form={form} yes="Create key" doing="Creating…">
      <TextField
        label="Purpose"
        name="name"
        placeholder="Shop log import"
        maxLength={100}
        autoComplete="off"
        required
      />
      <Choices label="Scopes" options={scopesOf(domains ?? [])} chosen={chosen} onChange={setChosen} />
    </ModalForm>
  );
}

function KeyToTake({ created: { key }, onClose }: { created: NewKey; onClose: () => void }) {
  return (
    <div className={styles.form}>
      <ShownOnce label="API key" text={key} copy="Copy key" />
      <p className="note">
        Send it with each request as <code>authorization: Bearer …</code>
      </p>
      <div className={styles.choice}>
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
