/** Keeps somebody from speaking for a while. */
import { useState } from 'react';
import { Choice } from '../../../kit/controls/choices.js';
import { Modal } from '../../../kit/controls/modal.js';
import { ModalForm } from '../../../kit/controls/modal-form.js';
import { useForm } from '../../../kit/controls/use-form.js';
import { type Inhabitant, mute } from '../data/folk.js';

const MINUTE_MS = 60_000;
const spans = [
  { value: '10', name: '10 minutes', meaning: 'To cool down.' },
  { value: '1440', name: 'A day', meaning: 'For spam and insults.' },
  { value: '43200', name: '30 days', meaning: 'For those who do not stop.' },
] as const;

const OF_WORLD = 'It can do everything else, and hears what others say.';
const OF_PERSON =
  'This mutes all characters of the same person. They can do everything else, and hear what others say.';

export function MuteModal({ inhabitant, onClose }: { inhabitant: Inhabitant; onClose: () => void }) {
  const [minutes, setMinutes] = useState<(typeof spans)[number]['value']>('10');
  const form = useForm(async () => {
    const refused = await mute(inhabitant.id, new Date(Date.now() + Number(minutes) * MINUTE_MS));
    if (refused === null) onClose();
    return refused;
  });
  return (
    <Modal
      title={`Mute ${inhabitant.name}?`}
      description={inhabitant.owner ? OF_PERSON : OF_WORLD}
      open
      onOpenChange={onClose}
    >
      <ModalForm form={form} yes="Mute" doing="Muting…" danger>
        <Choice label="How long" options={spans} chosen={minutes} onChange={setMinutes} />
      </ModalForm>
    </Modal>
  );
}
