/** Who and what is in a room now, live; and the forms to add something. */
import { useState } from 'react';
import { Icon } from '../../../kit/display/icon.js';
import { Notice } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { roleWords } from '../../parts/class-words.js';
import { useCrowdedRoom } from '../data/crowds.js';
import type { WorldRoom } from '../data/world.js';
import { FolkModal } from '../forms/folk-modal.js';
import { ItemModal } from '../forms/item-modal.js';
import styles from './here-now.module.css';

export function HereNow({ room }: { room: WorldRoom }) {
  const { state, refused } = useCrowdedRoom(room.id);
  const [adds, add] = useState<'item' | 'folk' | null>(null);
  const close = () => add(null);
  return (
    <section className={styles.here} aria-label={`In ${room.name} now`}>
      <h3 className="label">Here now</h3>
      {refused !== null && <Notice tone="bad">{refused}</Notice>}
      {!state && refused === null && <SkeletonRows rows={3} height="22px" />}
      {state && (
        <>
          <ul className={styles.list} aria-label="People in the room">
            {state.players.map(({ id, name, role, isOnline }) => (
              <li key={id}>
                <span className={styles.dot} data-online={isOnline} />
                {name}
                <span className="note">{role === 'PERSON' ? (isOnline ? 'online' : 'offline') : roleWords[role]}</span>
              </li>
            ))}
          </ul>
          <ul className={styles.list} aria-label="Things in the room">
            {state.items
              .filter(({ insideId }) => !insideId)
              .map(({ id, label, isFixed }) => (
                <li key={id}>
                  <Icon name="box" size={13} />
                  {label}
                  {isFixed && <span className="note">fixed</span>}
                </li>
              ))}
          </ul>
          {state.players.length + state.items.length === 0 && <p className="note">Nobody and nothing.</p>}
        </>
      )}
      <div className={styles.acts}>
        <button type="button" className="button small" onClick={() => add('item')}>
          <Icon name="plus" /> Item
        </button>
        <button type="button" className="button small" onClick={() => add('folk')}>
          <Icon name="plus" /> Somebody
        </button>
      </div>
      {adds === 'item' && <ItemModal item={null} place={room.key} onClose={close} />}
      {adds === 'folk' && <FolkModal inhabitant={null} location={room.key} onClose={close} />}
    </section>
  );
}
