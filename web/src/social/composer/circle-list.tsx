/** All circles of the viewer in a list that can be searched: there may be more than the form has room for. */
import { Popover } from 'radix-ui';
import { useState } from 'react';
import styles from './composer.module.css';

interface CircleListProps {
  readonly circles: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly onTurn: (id: string) => void;
}

export function CircleList({ circles, chosen, onTurn }: CircleListProps) {
  const [wanted, setWanted] = useState('');
  const part = wanted.trim().toLowerCase();
  const found = circles.filter(({ name }) => name.toLowerCase().includes(part));
  return (
    <Popover.Root onOpenChange={() => setWanted('')}>
      <Popover.Trigger className={styles.chip}>All {circles.length} circles…</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={`menu ${styles.list}`} align="start" sideOffset={4} aria-label="All circles">
          <input
            className={`input ${styles.find}`}
            type="search"
            dir="auto"
            aria-label="Find a circle"
            placeholder="Find a circle"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
          {found.map(({ id, name }) => (
            <label key={id} className="menu-item">
              <input type="checkbox" checked={chosen.includes(id)} onChange={() => onTurn(id)} />
              <span className="cut" dir="auto">
                {name}
              </span>
            </label>
          ))}
          {found.length === 0 && (
            <p className={`note ${styles.none}`} role="status">
              No circle has this in its name.
            </p>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
