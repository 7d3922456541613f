/** A room to edit: its text, its exits, and who and what is in it. */
import { useState } from 'react';
import { explainThrown } from '../../../kit/base/errors.js';
import { Card } from '../../../kit/display/card.js';
import { Icon } from '../../../kit/display/icon.js';
import { Notice } from '../../../kit/display/notice.js';
import { type Draft, isSame, mergeRoom } from '../data/merge-room.js';
import { asInput, beforeOf, readRoom, saveRoom, type WorldRoom } from '../data/world.js';
import { ExitFields } from './exit-fields.js';
import { HereNow } from './here-now.js';
import styles from './room-panel.module.css';

interface RoomPanelProps {
  readonly room: WorldRoom;
  readonly rooms: readonly WorldRoom[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

const draftOf = (room: WorldRoom): Draft => asInput(room) as Draft;

export function RoomPanel({ room, rooms, onSaved, onClose }: RoomPanelProps) {
  const saved = draftOf(room);
  const [followed, follow] = useState(saved);
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(saved);
  const [state, setState] = useState<{ busy: boolean; refusal: string | null }>({ busy: false, refusal: null });
  const begin = (room: Draft) => {
    setBase(room);
    setDraft(room);
  };
  if (!isSame(followed, saved)) {
    // Somebody has saved it, perhaps oneself: what is not changed here follows.
    follow(saved);
    if (isSame(draft, base)) begin(saved);
  }
  const isChanged = !isSame(draft, base);
  const change = (some: Partial<Draft>) => setDraft({ ...draft, ...some });
  const save = async () => {
    setState({ busy: true, refusal: null });
    const refusal = await saveMerged().catch(explainThrown);
    setState({ busy: false, refusal });
    if (refusal === null) onSaved();
  };
  /** Another editor may have saved the room since the draft began. @returns why it was not saved, or null */
  const saveMerged = async (): Promise<string | null> => {
    const stored = await readRoom(room.id);
    if (typeof stored === 'string') return stored;
    const merged = mergeRoom(base, draft, stored as Draft);
    setBase(stored as Draft);
    setDraft(merged.draft);
    if (merged.clashes.length > 0)
      return `Somebody else has changed ${merged.clashes.join(', ')} meanwhile. Save again to replace that, or undo your changes to see it.`;
    const { isStart, exits, ...texts } = merged.draft;
    const isNewStart = isStart && !stored.isStart; // another one may become the start right now: it stays that
    const refused = await saveRoom({ ...texts, isStart: isNewStart, exits: [...exits], before: beforeOf(stored) });
    const now = refused === null ? await readRoom(room.id) : null;
    if (now !== null && typeof now !== 'string') begin(now as Draft); // names and words are saved without spaces around them
    return refused;
  };
  const undo = () => {
    setDraft(base);
    setState({ busy: false, refusal: null });
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
            checked={draft.isStart}
            disabled={base.isStart}
            onChange={({ target }) => change({ isStart: target.checked })}
          />
          New characters begin here{base.isStart && ', until you choose another room'}
        </label>
        <ExitFields exits={draft.exits} rooms={rooms} onChange={(exits) => change({ exits })} />
        {state.refusal !== null && <Notice tone="bad">{state.refusal}</Notice>}
        <div className={styles.acts}>
          <span className="note">
            Key <code>{room.key}</code>
          </span>
          {isChanged && (
            <button type="button" className="button" onClick={undo}>
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
