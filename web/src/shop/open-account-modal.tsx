import { useState } from 'react';
import { useRole } from '../access.js';
import { Choice } from '../parts/choices.js';
import { Modal } from '../parts/modal.js';
import { ModalForm } from '../parts/modal-form.js';
import { parseAmount } from '../parts/money.js';
import { TextField } from '../parts/text-field.js';
import { textOf, useForm } from '../parts/use-form.js';
import type { Person } from '../people/people.js';
import { PersonFinder } from '../people/person-finder.js';
import { openAccount, useAccounts } from './accounts.js';
import styles from './open-account-modal.module.css';

type Whose = 'MINE' | 'PERSON' | 'NOBODY';

const owners = [
  { value: 'MINE', name: 'Your own', meaning: 'You pay from it, and take money.' },
  { value: 'PERSON', name: 'Somebody else’s', meaning: 'They see it and pay from it.' },
  { value: 'NOBODY', name: 'Nobody’s, by a name', meaning: 'Such as a till or a fund: administrators move its money.' },
] as const;

/** Opens an account: an own one; for administrators also that of somebody else or of nobody, and with money in it. */
export function OpenAccountModal({ onClose }: { onClose: () => void }) {
  const administers = useRole('ADMIN');
  const { currency } = useAccounts();
  const [whose, setWhose] = useState<Whose>('MINE');
  const [person, setPerson] = useState<Person | null>(null);
  const form = useForm(async (fields) => {
    if (whose === 'PERSON' && !person) return 'Choose whose it is';
    const owner = whose === 'PERSON' ? person?.id : textOf(fields, 'owner').trim();
    const amount = parseAmount(textOf(fields, 'amount') || '0', currency);
    if (amount === null) return `That is no amount of ${currency}`;
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
      <ModalForm form={form} yes="Open the account" doing="Opening…" disabled={currency === ''}>
        {administers ? (
          <>
            <Choice label="Whose it is" options={owners} chosen={whose} onChange={setWhose} />
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
          <p>It begins with nothing in it.</p>
        )}
      </ModalForm>
    </Modal>
  );
}

/** From the list, which has gone. */
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
