/** Number and length of sessions: of one user, live, or of all users in a period. */
import type { FormEvent } from 'react';
import { Segmented } from '../../kit/controls/segmented.js';
import { Icon } from '../../kit/display/icon.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { useRole } from '../../shell/access.js';
import { EveryoneCard } from './everyone-card.js';
import { FirstSession } from './first-session.js';
import { useLatestPeriod } from './latest-period.js';
import styles from './page.module.css';
import { RollUpButton, RollUpOutcome, useRollUp } from './roll-up.js';
import { UserCard } from './user-card.js';
import { levelNames, levels, type SessionView, useSessionView } from './view.js';

export function SessionsPage() {
  const [view, onView] = useSessionView();
  const administers = useRole('ADMIN');
  const latest = useLatestPeriod(view.level);
  const rollUp = useRollUp(latest.again);
  return (
    <>
      <div className={styles.bar}>
        <Segmented
          label="By"
          value={view.level}
          onChange={(level) => onView({ level })}
          options={levels.map((value) => ({
            value,
            label: levelNames[value],
            name: `By ${levelNames[value].toLowerCase()}`,
          }))}
        />
        <UserForm key={view.user ?? ''} user={view.user} onUser={(user) => onView({ user })} />
        {administers && <RollUpButton {...rollUp} />}
      </div>
      <RollUpOutcome {...rollUp} />
      {view.user === null ? (
        <Everyone view={view} latest={latest} onView={onView} />
      ) : (
        <UserCard {...view} user={view.user} key={`${view.user} ${view.level}`} />
      )}
    </>
  );
}

interface EveryoneProps {
  readonly view: SessionView;
  readonly latest: ReturnType<typeof useLatestPeriod>;
  readonly onView: (change: Partial<SessionView>) => void;
}

function Everyone({ view: { level, at }, latest, onView }: EveryoneProps) {
  if (!latest.data) return <Waiting {...latest} rows={8} height="40px" />;
  if (latest.data.at === null) return <FirstSession />;
  return (
    <>
      <Waiting {...latest} rows={0} />
      <EveryoneCard
        level={level}
        at={at ?? latest.data.at}
        latest={latest.data.at}
        onPeriod={(period) => onView({ at: period })}
        onUser={(user) => onView({ user })}
      />
    </>
  );
}

/** Chooses the user. */
function UserForm({ user, onUser }: { user: string | null; onUser: (user: string | null) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('user') ?? '').trim();
    if (text) onUser(text);
  };
  return (
    <form className={styles.user} onSubmit={submit}>
      <input
        className="input"
        name="user"
        defaultValue={user ?? ''}
        aria-label="User"
        placeholder="User id"
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
      />
      <button type="submit" className="button">
        <Icon name="search" /> Show
      </button>
      {user !== null && (
        <button type="button" className="button" onClick={() => onUser(null)}>
          <Icon name="people" /> All users
        </button>
      )}
    </form>
  );
}
