/** A room to edit: its text, its exits, and who and what is in it. */
import { useState } from 'react';
import type { LocationInput } from '../../../../generated/graphql.js';
import { explainThrown } from '../../../kit/base/errors.js';
import { Card } from '../../../kit/display/card.js';
import { Icon } from '../../../kit/display/icon.js';
import { Notice } from '../../../kit/display/notice.js';
import { asInput, type ExitInput, saveRoom, type WorldRoom } from '../data/world.js';
import { ExitFields } from './exit-fields.js';
import { HereNow } from './here-now.js';
import styles from './room-panel.module.css';

interface RoomPanelProps {
  readonly room: WorldRoom;
  readonly rooms: readonly WorldRoom[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

type Draft = Omit<LocationInput, 'exits'> & { readonly exits: readonly ExitInput[] };

const draftOf = (room: WorldRoom): Draft => asInput(room) as Draft;
const isSame = (one: Draft, other: Draft) => JSON.stringify(one) === JSON.stringify(other);

export function RoomPanel({ room, rooms, onSaved, onClose }: RoomPanelProps) {
  const saved = draftOf(room);
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(saved);
  const [state, setState] = useState<{ busy: boolean; refusal: string | null }>({ busy: false, refusal: null });
  if (!isSame(base, saved)) {
    // Somebody has saved it, perhaps oneself: what is not changed here follows.
    setBase(saved);
    if (isSame(draft, base)) setDraft(saved);
  }
  const isChanged = !isSame(draft, saved);
  const change = (some: Partial<Draft>) => setDraft({ ...draft, ...some });
  const save = async () => {
    setState({ busy: true, refusal: null });
    const refusal = await saveRoom({ ...draft, exits: [...draft.exits] }).catch(explainThrown);
    setState({ busy: false, refusal });
    if (refusal === null) onSaved();
  };
  const close = (
    <button type="button" className="button quiet icon" aria-label="Close the room" onClick={onClose}>
      <Icon name="close" />
    </button>
  );
  return (
    <Card title={room.name} aside={close} bodyClass={styles.panel}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="field">
          <label htmlFor="room-name">Name</label>
          <input
            className="input"
            id="room-name"
            value={draft.name}
            maxLength={100}
            required
            onChange={({ target }) => change({ name: target.value })}
          />
        </div>
        <div className="field">
          <label htmlFor="room-description">Description</label>
          <textarea
            className="input"
            id="room-description"
            rows={5}
            maxLength={5000}
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={draft.isStart ?? false}
            onChange={({ target }) => change({ isStart: target.checked })}
          />
          New characters begin here
        </label>
        <ExitFields exits={draft.exits} rooms={rooms} onChange={(exits) => change({ exits })} />
        {state.refusal !== null && <Notice tone="bad">{state.refusal}</Notice>}
        <div className={styles.acts}>
          <span className="note">
            Key <code>{room.key}</code>
          </span>
          {isChanged && (
            <button type="button" className="button" onClick={() => setDraft(saved)}>
              Undo changes
            </button>
          )}
          <button type="submit" className="button primary" disabled={!isChanged || state.busy}>
            {state.busy ? 'Saving…' : 'Save room'}
          </button>
        </div>
      </form>
      <HereNow room={room} />
    </Card>
  );
}
