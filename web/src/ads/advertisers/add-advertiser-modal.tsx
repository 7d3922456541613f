/** Adds an advertiser: the viewer's own, or for administrators one of somebody else. */
import { useState } from 'react';
import { Choice } from '../../kit/controls/choices.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import type { Person } from '../../people/people.js';
import { PersonFinder } from '../../people/person-finder.js';
import { useRole } from '../../shell/access.js';
import { addAdvertiser } from '../data/advertisers.js';
import styles from './advertisers-page.module.css';

interface AddAdvertiserModalProps {
  readonly onClose: () => void;
  /** Called after it was added; the dialog then has to be closed. */
  readonly onAdded: () => void;
}

const owners = [
  { value: 'MINE', name: 'You', meaning: 'It is yours to advertise for.' },
  { value: 'PERSON', name: 'Someone else', meaning: 'They see its campaigns, and can change and start them.' },
] as const;

export function AddAdvertiserModal({ onClose, onAdded }: AddAdvertiserModalProps) {
  const finds = useRole('ADMIN'); // nobody else may see all users
  const [whose, setWhose] = useState<'MINE' | 'PERSON'>('MINE');
  const [owner, setOwner] = useState<Person | null>(null);
  const form = useForm(async (fields) => {
    if (whose === 'PERSON' && !owner) return 'Choose the owner';
    const added = await addAdvertiser(textOf(fields, 'name').trim(), whose === 'PERSON' ? (owner?.id ?? null) : null);
    if (typeof added === 'string') return added;
    onAdded();
    return null;
  });
  return (
    <Modal
      title="New advertiser"
      description="A business that advertises. Its name is shown with its ads."
      open
      onOpenChange={onClose}
    >
      <ModalForm form={form} yes="Add advertiser" doing="Adding…">
        <TextField label="Name" name="name" maxLength={100} autoComplete="organization" required />
        {finds && <Choice label="Owner" options={owners} chosen={whose} onChange={setWhose} />}
        {whose === 'PERSON' && !owner && <PersonFinder onChoose={setOwner} />}
        {whose === 'PERSON' && owner && (
          <div className={styles.owner}>
            <span>
              <strong>{owner.name}</strong> <span className="note">{owner.email}</span>
            </span>
            <button type="button" className="button" onClick={() => setOwner(null)}>
              Choose another
            </button>
          </div>
        )}
      </ModalForm>
    </Modal>
  );
}
