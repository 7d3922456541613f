/** Creates or changes somebody who belongs to the world. */
import { useState } from 'react';
import type { CharacterClass, PlayerRole } from '../../../../generated/graphql.js';
import { Choice } from '../../../kit/controls/choices.js';
import { Modal } from '../../../kit/controls/modal.js';
import { ModalForm } from '../../../kit/controls/modal-form.js';
import { TextField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import { classWords } from '../../parts/class-words.js';
import { type Inhabitant, saveFolk } from '../data/folk.js';
import { RoomKeyField } from './room-key-field.js';

interface FolkModalProps {
  /** Null: a new one. */
  readonly inhabitant: Inhabitant | null;
  /** Where a new one is put: the key of a room. */
  readonly location?: string;
  readonly onClose: () => void;
}

const roles = [
  { value: 'SHOPKEEPER', name: 'Shopkeeper', meaning: 'Sells what it carries and has a price, and buys.' },
  { value: 'FOLK', name: 'Folk', meaning: 'Is there.' },
] as const;

export function FolkModal({ inhabitant, location = '', onClose }: FolkModalProps) {
  const [role, setRole] = useState<Exclude<PlayerRole, 'PERSON'>>(inhabitant?.role === 'FOLK' ? 'FOLK' : 'SHOPKEEPER');
  const [is, setClass] = useState<CharacterClass>(inhabitant?.class ?? 'CLERIC');
  const form = useForm(async (fields) => {
    const refused = await saveFolk({
      name: inhabitant?.name ?? textOf(fields, 'name').trim(),
      class: is,
      role,
      gold: inhabitant?.gold ?? Number(textOf(fields, 'gold')),
      location: inhabitant?.location.key ?? textOf(fields, 'location').trim(),
      isNew: inhabitant === null,
    });
    if (refused === null) onClose();
    return refused;
  });
  return (
    <Modal title={inhabitant ? inhabitant.name : 'Somebody new'} open onOpenChange={onClose}>
      <ModalForm form={form} yes={inhabitant ? 'Save' : 'Create'} doing="Saving…">
        {!inhabitant && <TextField label="Name" name="name" minLength={2} maxLength={30} autoComplete="off" required />}
        <Choice label="What it does" options={roles} chosen={role} onChange={setRole} />
        <div className="field">
          <label htmlFor="folk-class">Class</label>
          <select
            className="input"
            id="folk-class"
            value={is}
            onChange={({ target }) => setClass(target.value as CharacterClass)}
          >
            {Object.entries(classWords).map(([value, { name }]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </div>
        {!inhabitant && (
          <>
            <TextField label="Gold" name="gold" type="number" min={0} max={1_000_000_000} defaultValue={100} required />
            <RoomKeyField label="Room" name="location" defaultValue={location} hint="The key of the room." />
          </>
        )}
      </ModalForm>
    </Modal>
  );
}
