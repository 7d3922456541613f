/** Finds people, and lists who follows the viewer and whom the viewer has blocked. */
import { useState } from 'react';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty, Failure } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { networkContext } from '../data/network.js';
import { BlockButton } from '../network/block-button.js';
import { useFoundProfiles } from '../network/find.js';
import { Joined } from '../network/joined.js';
import { BlockedPeopleDocument, FollowersDocument } from '../network/lists.js';
import { PersonRow } from '../network/person-row.js';
import rows from '../network/person-row.module.css';
import { Face } from '../parts/face.js';
import styles from './page.module.css';

export const PeoplePage = () => (
  <Joined>
    {() => (
      <div className={styles.column}>
        <Finder />
        <Followers />
        <Blocked />
      </div>
    )}
  </Joined>
);

function Finder() {
  const [text, setText] = useState('');
  const { people, error, isCurrent, again } = useFoundProfiles(text);
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
      {error && <Failure again={again}>{error}</Failure>}
      {text.trim() !== '' && !people && !error && <SkeletonRows rows={3} height="40px" />}
      {people && people.length > 0 && (
        <ul aria-label="People found">
          {people.map((profile) => (
            <PersonRow key={profile.id} profile={profile} />
          ))}
        </ul>
      )}
      <p className="note" role="status">
        {people?.length === 0 && isCurrent && 'Nobody’s name starts with this.'}
      </p>
    </Card>
  );
}

const FIRST = 20;
const MORE_MAX = 40;
const POLL_MS = 10_000;

function Followers() {
  const [first, setFirst] = useState(FIRST);
  const answer = useData(FollowersDocument, { first, after: null }, networkContext);
  usePolling(answer.again, POLL_MS);
  const [before, setBefore] = useState(answer.data);
  if (answer.data && answer.data !== before) setBefore(answer.data);
  const data = answer.data ?? before; // while more are read, the previous ones stay
  const profiles = (data?.followers.edges ?? []).flatMap(({ node }) => node.profile ?? []);
  return (
    <Card title="Your followers">
      {(!data || answer.error) && <Waiting {...answer} rows={3} height="40px" />}
      {data && profiles.length === 0 && (
        <Empty icon="people" title="Nobody follows you yet">
          People who put you into a circle appear here.
        </Empty>
      )}
      <ul aria-label="Followers">
        {profiles.map((profile) => (
          <PersonRow key={profile.id} profile={profile} />
        ))}
      </ul>
      {data?.followers.pageInfo.hasNextPage && first < MORE_MAX && (
        <button type="button" className="button" onClick={() => setFirst(MORE_MAX)}>
          Show more
        </button>
      )}
    </Card>
  );
}

function Blocked() {
  const answer = useData(BlockedPeopleDocument, {}, networkContext);
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
