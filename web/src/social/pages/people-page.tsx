/** Finds people, and lists who follows the viewer and whom the viewer has blocked. */
import { useState } from 'react';
import { useData } from '../../api/use-data.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { networkContext } from '../data/network.js';
import { BlockButton } from '../network/block-button.js';
import type { Profile } from '../network/find.js';
import { Joined } from '../network/joined.js';
import { BlockedPeopleDocument } from '../network/lists.js';
import { Followers, FoundPeople } from '../network/people-lists.js';
import { PersonRow } from '../network/person-row.js';
import rows from '../network/person-row.module.css';
import { PersonSkeletons } from '../network/person-skeletons.js';
import { Face } from '../parts/face.js';
import styles from './page.module.css';

export const PeoplePage = () => (
  <Joined waiting={<PageSkeleton />}>
    {() => (
      <div className={styles.column}>
        <Finder />
        <Card title="Your followers">
          <Followers
            row={personRow}
            empty={
              <Empty icon="people" title="Nobody follows you yet">
                People who put you into a circle appear here.
              </Empty>
            }
          />
        </Card>
        <Blocked />
      </div>
    )}
  </Joined>
);

const personRow = (profile: Profile) => <PersonRow key={profile.id} profile={profile} />;

const PageSkeleton = () => (
  <div className={styles.column}>
    <Card title="Find people">
      <PersonSkeletons count={1} />
    </Card>
    <Card title="Your followers">
      <PersonSkeletons count={4} />
    </Card>
  </div>
);

function Finder() {
  const [text, setText] = useState('');
  return (
    <Card title="Find people">
      <div className={styles.search}>
        <Icon name="search" />
        <input
          className="input"
          type="search"
          aria-label="Name"
          placeholder="The start of a name"
          maxLength={100}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <FoundPeople text={text} row={personRow} />
    </Card>
  );
}

const nothing = {};

function Blocked() {
  const answer = useData(BlockedPeopleDocument, nothing, networkContext);
  const { data } = answer;
  return (
    <Card title="Blocked">
      {!data && <Waiting {...answer} rows={1} />}
      {data?.blockedPeople.length === 0 && <p className="note">You have blocked nobody.</p>}
      <ul aria-label="Blocked people">
        {data?.blockedPeople.map(
          ({ id, name }) =>
            id && (
              <li key={id} className={rows.row}>
                <Face name={name} />
                <span className={rows.who}>{name || 'Deleted account'}</span>
                <BlockButton person={{ id, name: name || 'this person' }} isBlocked isSmall />
              </li>
            ),
        )}
      </ul>
    </Card>
  );
}
