/** Puts a person into circles: a checkbox for each circle, and a field for a new one. */
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { createCircle, setInCircle, useCircles } from '../data/network.js';
import styles from './circles-menu.module.css';

/** Suggested to who has no circle yet. */
const FIRST_NAME = 'Friends';

interface CirclesMenuProps {
  readonly person: { readonly id: string; readonly name: string };
  /** The viewer's circles that the person is in. */
  readonly inside: readonly { readonly id: string; readonly name: string }[];
  readonly isSmall?: boolean;
}

export function CirclesMenu({ person, inside, isSmall = false }: CirclesMenuProps) {
  const [first] = inside;
  const words = !first ? 'Follow' : inside.length === 1 ? first.name : `In ${inside.length} circles`;
  return (
    <Popover.Root>
      <Popover.Trigger
        className={`button ${first ? '' : 'primary'} ${isSmall ? 'small' : ''} ${styles.trigger}`}
        aria-label={`${words}: circles of ${person.name}`}
      >
        <Icon name={first ? 'check' : 'plus'} />
        <span className="cut" dir="auto">
          {words}
        </span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={`menu ${styles.menu}`} align="end" sideOffset={4} aria-label="Circles">
          <Circles person={person} inside={inside} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Circles({ person, inside }: CirclesMenuProps) {
  const { data, error } = useCircles();
  const [sent, setSent] = useState<{ readonly id: string; readonly isIn: boolean } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? (data?.circles.length === 0 ? FIRST_NAME : '');
  const put = async (id: string, isIn: boolean) => {
    setFailure(null);
    setSent({ id, isIn });
    setFailure(await setInCircle(id, person.id, isIn));
    setSent(null);
  };
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const made = await createCircle(name.trim());
    if (typeof made === 'string') return setFailure(made);
    setTyped('');
    await put(made.id, true);
  };
  return (
    <>
      <p className={`note ${styles.hint}`}>
        {inside.length > 0
          ? 'Only you see your circles.'
          : `To follow ${person.name}, choose a circle. Only you see it.`}
      </p>
      {data?.circles.map((circle) => (
        <label key={circle.id} className="menu-item">
          <input
            type="checkbox"
            checked={sent?.id === circle.id ? sent.isIn : inside.some(({ id }) => id === circle.id)}
            disabled={sent !== null}
            onChange={({ target }) => void put(circle.id, target.checked)}
          />
          <span className="cut" dir="auto">
            {circle.name}
          </span>
          <span className="menu-detail">{circle.memberCount}</span>
        </label>
      ))}
      <form className={styles.add} onSubmit={(event) => void add(event)}>
        <input
          className="input"
          dir="auto"
          aria-label="Name of a new circle"
          placeholder="New circle"
          maxLength={50}
          required
          value={name}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="button icon" aria-label="Create the circle">
          <Icon name="plus" />
        </button>
      </form>
      {(failure ?? error) && <Notice tone="bad">{failure ?? error}</Notice>}
    </>
  );
}
