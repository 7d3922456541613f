/** A new exit from one room to another, and back; or a new room, with or without an exit to it. */
import { useState } from 'react';
import { Modal } from '../../../kit/controls/modal.js';
import { ModalForm } from '../../../kit/controls/modal-form.js';
import { TextField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import { directionBetween, oppositeOf, shortFormsOf } from '../../map/directions.js';
import type { Cell } from '../../map/place.js';
import { addExit, keyFor, saveRoom, type WorldRoom } from '../data/world.js';
import { DirectionField } from './direction-field.js';

interface ExitEnds {
  readonly from: WorldRoom;
  /** Of the room and of where the exit leads. */
  readonly cells: readonly [Cell, Cell];
}

interface LinkModalProps extends ExitEnds {
  readonly to: WorldRoom;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function LinkModal({ from, to, cells, onSaved, onClose }: LinkModalProps) {
  const ways = useWays(from, to, cells);
  const form = useForm(async () => {
    const refused = await linkRooms(from, to, ways);
    if (refused !== null) return refused;
    onSaved();
    onClose();
    return null;
  });
  return (
    <Modal title="A new exit" description={`From ${from.name} to ${to.name}.`} open onOpenChange={onClose}>
      <ModalForm form={form} yes="Add exit" doing="Adding…">
        <WayFields {...ways} target={to.name} />
      </ModalForm>
    </Modal>
  );
}

interface NewRoomModalProps {
  readonly rooms: readonly WorldRoom[];
  /** Where an exit was drawn from. Null: it stands alone. */
  readonly link: ExitEnds | null;
  readonly onSaved: (key: string) => void;
  readonly onClose: () => void;
}

export function NewRoomModal({ rooms, link, onSaved, onClose }: NewRoomModalProps) {
  const ways = useWays(link?.from ?? null, null, link?.cells ?? null);
  const form = useForm(async (fields) => {
    const name = textOf(fields, 'name').trim();
    const key = textOf(fields, 'key').trim() || keyFor(name, keysOf(rooms));
    if (keysOf(rooms).includes(key)) return `There is a room with the key ${key}.`;
    const back =
      link && ways.back !== '' ? [{ direction: ways.back, aliases: shortFormsOf(ways.back), to: link.from.key }] : [];
    const refused =
      (await saveRoom({
        key,
        name,
        description: textOf(fields, 'description'),
        isStart: rooms.length === 0,
        exits: back,
      })) ??
      (link && (await addExit(link.from.id, exitTo(ways.there, key))));
    if (refused !== null) return refused;
    onSaved(key);
    onClose();
    return null;
  });
  return (
    <Modal
      title="A new room"
      description={link ? `Reached from ${link.from.name}.` : rooms.length === 0 ? 'New characters begin here.' : ''}
      open
      onOpenChange={onClose}
    >
      <ModalForm form={form} yes="Create room" doing="Creating…">
        <TextField label="Name" name="name" maxLength={100} autoComplete="off" required />
        <div className="field">
          <label htmlFor="new-room-description">Description</label>
          <textarea className="input" id="new-room-description" name="description" rows={4} maxLength={5000} />
        </div>
        {link && <WayFields {...ways} target="the new room" />}
        <TextField
          label="Key"
          name="key"
          maxLength={64}
          pattern="[A-Za-z0-9._:\-]+"
          hint="What it is called in files. Empty: made from the name. It cannot be changed later."
        />
      </ModalForm>
    </Modal>
  );
}

interface Ways {
  readonly there: string;
  readonly setThere: (direction: string) => void;
  /** Empty: there is no way back. */
  readonly back: string;
  readonly setBack: (direction: string) => void;
}

/** The directions that the drawing suggests, unless the rooms have exits there. */
function useWays(from: WorldRoom | null, to: WorldRoom | null, cells: readonly [Cell, Cell] | null): Ways {
  const [there, setThere] = useState(() => {
    const direction = cells ? directionBetween(...cells) : '';
    return from?.exits.some((exit) => exit.direction === direction) ? '' : direction;
  });
  const [back, setBack] = useState(() => {
    const isLinked = from && to?.exits.some(({ toId }) => toId === from.id);
    const direction = isLinked || !cells ? '' : (oppositeOf(directionBetween(...cells)) ?? '');
    return to?.exits.some((exit) => exit.direction === direction) ? '' : direction;
  });
  return { there, setThere, back, setBack };
}

function WayFields({ there, setThere, back, setBack, target }: Ways & { readonly target: string }) {
  return (
    <>
      <DirectionField label={`Direction to ${target}`} value={there} onChange={setThere} required />
      <DirectionField label="Direction back" value={back} onChange={setBack} hint="Empty: there is no way back." />
    </>
  );
}

const keysOf = (rooms: readonly WorldRoom[]) => rooms.map(({ key }) => key);

const exitTo = (direction: string, to: string) => ({
  direction,
  aliases: shortFormsOf(direction),
  description: '',
  needs: null,
  to,
});

async function linkRooms(from: WorldRoom, to: WorldRoom, { there, back }: Ways): Promise<string | null> {
  const refused = await addExit(from.id, exitTo(there, to.key));
  if (refused !== null || back === '') return refused;
  return addExit(to.id, exitTo(back, from.key));
}
