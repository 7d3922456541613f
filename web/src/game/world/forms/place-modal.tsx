/** Puts something or somebody into another room by hand. */
import { useState } from 'react';
import { Modal } from '../../../kit/controls/modal.js';
import { ModalForm } from '../../../kit/controls/modal-form.js';
import { useForm } from '../../../kit/controls/use-form.js';
import { useWorld } from '../data/world.js';

interface PlaceModalProps {
  /** What is moved. */
  readonly name: string;
  /** @returns why it failed, or null */
  readonly move: (roomId: string) => Promise<string | null>;
  readonly onClose: () => void;
}

export function PlaceModal({ name, move, onClose }: PlaceModalProps) {
  const { rooms, failure } = useWorld();
  const [to, setTo] = useState('');
  const form = useForm(async () => {
    const refused = await move(to);
    if (refused === null) onClose();
    return refused;
  });
  return (
    <Modal title={`Move ${name}`} description="At once, whatever it is doing." open onOpenChange={onClose}>
      <ModalForm form={{ ...form, refusal: form.refusal ?? failure }} yes="Move" doing="Moving…" disabled={to === ''}>
        <div className="field">
          <label htmlFor="move-to">To</label>
          <select className="input" id="move-to" value={to} onChange={({ target }) => setTo(target.value)}>
            <option value="" disabled>
              {rooms ? 'Choose a room' : 'Loading…'}
            </option>
            {rooms?.map(({ id, key, name: roomName }) => (
              <option key={id} value={id}>
                {roomName} ({key})
              </option>
            ))}
          </select>
        </div>
      </ModalForm>
    </Modal>
  );
}
