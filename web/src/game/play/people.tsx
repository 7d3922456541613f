/** Who else is in the room. */

import { classWords } from '../parts/class-words.js';
import { hueOf } from '../parts/hue.js';
import { choicesForItem, lookAtSomebody } from '../screen/choices.js';
import type { Somebody } from '../screen/types.js';
import { ChoicesMenu } from './choices-menu.js';
import styles from './people.module.css';
import { usePlaying } from './playing.js';
import things from './things.module.css';

export function People() {
  const { screen } = usePlaying();
  const others = screen.location.players.filter(({ id }) => id !== screen.id);
  if (others.length === 0) return <p className="note">Nobody else is here.</p>;
  return (
    <ul className={things.things} aria-label="People">
      {others.map((somebody) => (
        <li key={somebody.id}>
          <Person somebody={somebody} />
        </li>
      ))}
    </ul>
  );
}

function Person({ somebody }: { somebody: Somebody }) {
  const { screen, choose, speak, trade } = usePlaying();
  const { id, name, role, isOnline } = somebody;
  const isKeeper = role === 'SHOPKEEPER';
  const gifts = screen.inventory
    .flatMap((item) => choicesForItem(screen, item).map((choice) => ({ choice, item })))
    .filter(({ choice }) => choice.act.do === 'give' && choice.act.toId === id)
    .map(({ choice, item }) => ({ words: `Give ${item.label}`, choose: () => choose(choice) }));
  const choices = [
    ...(isKeeper ? [{ words: 'Trade', choose: () => trade(somebody) }] : []),
    { words: 'Whisper', choose: () => speak({ to: somebody }) },
    { words: 'Look at', choose: () => choose(lookAtSomebody(somebody)) },
    ...gifts,
  ];
  return (
    <ChoicesMenu title={name} facts={whatIs(somebody)} choices={choices} className={things.thing}>
      <span className={styles.face} style={hueOf(name)} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
        {role === 'PERSON' && <span className={styles.dot} data-online={isOnline} />}
      </span>
      <span className={things.label}>
        <strong>{name}</strong> <span className="note">{whatIs(somebody)}</span>
      </span>
    </ChoicesMenu>
  );
}

function whatIs({ class: is, role, isOnline }: Somebody): string {
  if (role === 'SHOPKEEPER') return 'shopkeeper';
  const words = classWords[is].name.toLowerCase();
  return role === 'PERSON' && !isOnline ? `${words}, asleep` : words;
}
