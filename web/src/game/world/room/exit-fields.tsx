/** The exits of a room, each with its fields. */
import { useState } from 'react';
import { Icon } from '../../../kit/display/icon.js';
import type { ExitInput, WorldRoom } from '../data/world.js';
import { DirectionField } from './direction-field.js';
import styles from './exit-fields.module.css';

interface ExitFieldsProps {
  readonly exits: readonly ExitInput[];
  readonly rooms: readonly WorldRoom[];
  readonly onChange: (exits: readonly ExitInput[]) => void;
}

/** The API's limit. */
const EXITS_MAX = 50;

export function ExitFields({ exits, rooms, onChange }: ExitFieldsProps) {
  const [open, setOpen] = useState<number | null>(null);
  const change = (at: number, some: Partial<ExitInput>) =>
    onChange(exits.map((exit, index) => (index === at ? { ...exit, ...some } : exit)));
  const add = () => {
    onChange([...exits, { direction: '', aliases: [], description: '', needs: null, to: '' }]);
    setOpen(exits.length);
  };
  const remove = (at: number) => {
    onChange(exits.filter((_exit, index) => index !== at));
    setOpen(null);
  };
  return (
    <fieldset className={styles.exits}>
      <legend className="label">Exits</legend>
      {exits.length === 0 && <p className="note">There is no way out.</p>}
      {exits.map((exit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an exit has nothing else that does not change while it is edited
        <div key={index} className={styles.exit}>
          <div className={styles.head}>
            <button
              type="button"
              className={styles.fold}
              aria-expanded={open === index}
              onClick={() => setOpen(open === index ? null : index)}
            >
              <strong>{exit.direction || 'New exit'}</strong>
              <span className="cut">{nameOf(rooms, exit.to)}</span>
              {exit.needs && <Icon name="key" size={13} />}
            </button>
            <button
              type="button"
              className="button quiet icon small"
              aria-label={`Remove the exit ${exit.direction}`}
              onClick={() => remove(index)}
            >
              <Icon name="trash" />
            </button>
          </div>
          {open === index && <Fields exit={exit} rooms={rooms} onChange={(some) => change(index, some)} />}
        </div>
      ))}
      {exits.length < EXITS_MAX && (
        <button type="button" className="button small" onClick={add}>
          <Icon name="plus" /> Add exit
        </button>
      )}
    </fieldset>
  );
}

const nameOf = (rooms: readonly WorldRoom[], key: string): string =>
  rooms.find((room) => room.key === key)?.name ?? key;

interface FieldsProps {
  readonly exit: ExitInput;
  readonly rooms: readonly WorldRoom[];
  readonly onChange: (some: Partial<ExitInput>) => void;
}

function Fields({ exit, rooms, onChange }: FieldsProps) {
  const [aliases, setAliases] = useState(exit.aliases.join(', '));
  return (
    <div className={styles.fields}>
      <DirectionField
        label="Direction"
        value={exit.direction}
        onChange={(direction) => onChange({ direction })}
        required
      />
      <div className="field">
        <label htmlFor="exit-to">Leads to</label>
        <select
          className="input"
          id="exit-to"
          value={exit.to}
          required
          onChange={({ target }) => onChange({ to: target.value })}
        >
          <option value="" disabled>
            Choose a room
          </option>
          {rooms.map(({ key, name }) => (
            <option key={key} value={key}>
              {name} ({key})
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="exit-aliases">Other words, with commas</label>
        <input
          className="input"
          id="exit-aliases"
          value={aliases}
          placeholder="n, up the hill"
          onChange={({ target }) => {
            setAliases(target.value);
            onChange({ aliases: wordsIn(target.value) });
          }}
        />
      </div>
      <div className="field">
        <label htmlFor="exit-description">What can be seen there</label>
        <input
          className="input"
          id="exit-description"
          value={exit.description}
          maxLength={500}
          onChange={({ target }) => onChange({ description: target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor="exit-needs">Key of an item that one must carry</label>
        <input
          className="input"
          id="exit-needs"
          value={exit.needs ?? ''}
          maxLength={64}
          placeholder="None"
          onChange={({ target }) => onChange({ needs: target.value.trim() || null })}
        />
      </div>
    </div>
  );
}

const wordsIn = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
