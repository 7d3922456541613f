import { useState } from 'react';
import { parseAmount } from '../../../kit/base/money.js';
import { Choice } from '../../../kit/controls/choices.js';
import { Modal } from '../../../kit/controls/modal.js';
import { ModalForm } from '../../../kit/controls/modal-form.js';
import { TextField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import type { Person } from '../../../people/people.js';
import { PersonFinder } from '../../../people/person-finder.js';
import { useRole } from '../../../shell/access.js';
import { openAccount, useAccounts } from '../data/accounts.js';
import styles from './open-account-modal.module.css';

type Whose = 'MINE' | 'PERSON' | 'NOBODY';

const owners = [
  { value: 'MINE', name: 'Your own', meaning: 'You can pay from it and receive money.' },
  { value: 'PERSON', name: 'Someone else’s', meaning: 'They can see it and pay from it.' },
  {
    value: 'NOBODY',
    name: 'No owner',
    meaning: 'A named account, such as a till or a fund. Administrators can move its money.',
  },
] as const;

/** Opens an account for the viewer; administrators can choose another owner, or none, and an opening balance. */
export function OpenAccountModal({ onClose }: { onClose: () => void }) {
  const administers = useRole('ADMIN');
  const { currency } = useAccounts();
  const [whose, setWhose] = useState<Whose>('MINE');
  const [person, setPerson] = useState<Person | null>(null);
  const form = useForm(async (fields) => {
    if (whose === 'PERSON' && !person) return 'Choose the owner';
    const owner = whose === 'PERSON' ? person?.id : textOf(fields, 'owner').trim();
    const amount = parseAmount(textOf(fields, 'amount') || '0', currency);
    if (amount === null) return `Enter a valid amount in ${currency}`;
    const opened = await openAccount({
      ...(owner && { owner }),
      ...(amount > 0 && { openingBalance: { amount, currency } }),
    });
    if (typeof opened === 'string') return opened;
    onClose();
    return null;
  });
  return (
    <Modal title="Open an account" open onOpenChange={onClose}>
      <ModalForm form={form} yes="Open account" doing="Opening…" disabled={currency === ''}>
        {administers ? (
          <>
            <Choice label="Owner" options={owners} chosen={whose} onChange={setWhose} />
            {whose === 'PERSON' && <PersonField person={person} onPerson={setPerson} />}
            {whose === 'NOBODY' && <TextField label="Name" name="owner" maxLength={100} autoComplete="off" required />}
            <TextField
              label={`Opening balance in ${currency}`}
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              placeholder="0"
            />
          </>
        ) : (
          <p>The account starts empty.</p>
        )}
      </ModalForm>
    </Modal>
  );
}

/** Takes the focus from the list, which is removed. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

interface PersonFieldProps {
  readonly person: Person | null;
  readonly onPerson: (person: Person | null) => void;
}

function PersonField({ person, onPerson }: PersonFieldProps) {
  if (!person) return <PersonFinder onChoose={onPerson} />;
  return (
    <div className={styles.person}>
      <span>
        <strong>{person.name}</strong> <span className="note">{person.email}</span>
      </span>
      <button type="button" className="button" ref={takeFocus} onClick={() => onPerson(null)}>
        Choose another
      </button>
    </div>
  );
}
