/** A field for the key of a room, or of another place: the browser offers the rooms by name while one types. */
import { useId } from 'react';
import { TextField } from '../../../kit/controls/text-field.js';
import { useWorld } from '../data/world.js';

interface RoomKeyFieldProps {
  readonly label: string;
  readonly name: string;
  readonly defaultValue: string;
  readonly hint: string;
}

const KEY_MAX = 64;

export function RoomKeyField(field: RoomKeyFieldProps) {
  const list = useId();
  const { rooms } = useWorld();
  return (
    <>
      <TextField {...field} list={list} maxLength={KEY_MAX} autoComplete="off" spellCheck={false} required />
      <datalist id={list}>
        {rooms?.map(({ id, key, name }) => (
          <option key={id} value={key}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
