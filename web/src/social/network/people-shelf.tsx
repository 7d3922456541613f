/** People to drag into circles: those whose names start with a text, otherwise the viewer's followers. */
import { useState } from 'react';
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { carriedStore } from './carried.js';
import type { Profile } from './find.js';
import { Followers, FoundPeople } from './people-lists.js';
import styles from './people-shelf.module.css';
import { PersonRow } from './person-row.js';

export function PeopleShelf() {
  const [text, setText] = useState('');
  const isFinding = text.trim() !== '';
  return (
    <Card title={isFinding ? 'People' : 'Your followers'}>
      <input
        className="input"
        type="search"
        aria-label="Name"
        placeholder="Find by the start of a name"
        maxLength={100}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className={`note ${styles.hint}`}>Drag a person to a circle, or use the button.</p>
      <div className={styles.people}>
        {isFinding ? (
          <FoundPeople text={text} row={draggable} />
        ) : (
          <Followers
            row={draggable}
            empty={
              <p className="note">
                Nobody follows you yet. <Link href="/social/people">Find people</Link>
              </p>
            }
          />
        )}
      </div>
    </Card>
  );
}

const draggable = (profile: Profile) => (
  <PersonRow
    key={profile.id}
    profile={profile}
    className={styles.person}
    draggable
    onDragStart={({ dataTransfer }) => {
      dataTransfer.setData('text/plain', profile.name);
      dataTransfer.effectAllowed = 'copy';
      carriedStore.set({ id: profile.id, name: profile.name });
    }}
    onDragEnd={() => carriedStore.set(null)}
  />
);
