/** People to drag into circles: those whose names start with a text, otherwise the viewer's followers. */
import { useState } from 'react';
import { useData } from '../../api/use-data.js';
import { Card } from '../../kit/display/card.js';
import { Notice } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import { networkContext } from '../data/network.js';
import { carriedStore } from './carried.js';
import { type Profile, useFoundProfiles } from './find.js';
import { FollowersDocument } from './lists.js';
import styles from './people-shelf.module.css';
import { PersonRow } from './person-row.js';

const FIRST = 20;

export function PeopleShelf() {
  const [text, setText] = useState('');
  const found = useFoundProfiles(text);
  const { data, error } = useData(FollowersDocument, { first: FIRST, after: null }, networkContext);
  const isFinding = text.trim() !== '';
  const followers = data?.followers.edges.flatMap(({ node }) => node.profile ?? []) ?? null;
  const people = isFinding ? found.people : followers;
  const failure = isFinding ? found.error : error;
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
      {failure && <Notice tone="bad">{failure}</Notice>}
      {!people && !failure && <SkeletonRows rows={4} height="40px" />}
      {people?.length === 0 && (
        <p className={`note ${styles.none}`}>
          {isFinding ? 'Nobody’s name starts with this.' : 'Nobody follows you yet. Find people by their names.'}
        </p>
      )}
      <ul className={styles.people}>
        {people?.map((profile) => (
          <Draggable key={profile.id} profile={profile} />
        ))}
      </ul>
      {people && people.length > 0 && (
        <p className={`note ${styles.hint}`}>Drag a person to a circle, or use the button.</p>
      )}
    </Card>
  );
}

const Draggable = ({ profile }: { profile: Profile }) => (
  <li
    className={styles.person}
    draggable
    onDragStart={({ dataTransfer }) => {
      dataTransfer.setData('text/plain', profile.name);
      dataTransfer.effectAllowed = 'copy';
      carriedStore.set({ id: profile.id, name: profile.name });
    }}
    onDragEnd={() => carriedStore.set(null)}
  >
    <ul>
      <PersonRow profile={profile} />
    </ul>
  </li>
);
