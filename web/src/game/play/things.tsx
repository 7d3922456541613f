/** A list of things, those in a container below it. */
import type { ItemKind } from '../../../generated/graphql.js';
import { formatCount } from '../../kit/base/format.js';
import { Icon, type IconName } from '../../kit/display/icon.js';
import { formatWeight } from '../parts/weight.js';
import { choicesForItem, inHands, slotWords } from '../screen/choices.js';
import type { Item } from '../screen/types.js';
import { ChoicesMenu } from './choices-menu.js';
import { usePlaying } from './playing.js';
import styles from './things.module.css';

export const itemIcons: Readonly<Record<ItemKind, IconName>> = {
  THING: 'box',
  CONTAINER: 'bag',
  ARMOR: 'shield',
  WEAPON: 'sword',
};

interface ThingsProps {
  readonly label: string;
  readonly items: readonly Item[];
  readonly empty: string;
}

export function Things({ label, items, empty }: ThingsProps) {
  if (items.length === 0) return <p className="note">{empty}</p>;
  return (
    <ul className={styles.things} aria-label={label}>
      <Level items={items} insideId={null} />
    </ul>
  );
}

const Level = ({ items, insideId }: { items: readonly Item[]; insideId: string | null }) =>
  items
    .filter((item) => (item.insideId ?? null) === insideId)
    .map((item) => (
      <li key={item.id}>
        <Thing item={item} />
        {items.some((inner) => inner.insideId === item.id) && (
          <ul className={styles.inside} aria-label={`In the ${item.name}`}>
            <Level items={items} insideId={item.id} />
          </ul>
        )}
      </li>
    ));

function Thing({ item }: { item: Item }) {
  const { screen, choose } = usePlaying();
  const { label, kind, slot, isFixed } = item;
  const choices = choicesForItem(screen, item).map((choice) => ({
    words: choice.words,
    choose: () => choose(choice),
  }));
  return (
    <ChoicesMenu title={label} facts={factsOf(item)} choices={choices} className={styles.thing}>
      <Icon name={itemIcons[kind]} />
      <span className={styles.label}>{label}</span>
      {slot && (
        <span className="badge" data-tone="accent">
          {slot === 'BOTH_HANDS' ? 'in ' : inHands.includes(slot) ? 'in the ' : 'on the '}
          {slotWords[slot]}
        </span>
      )}
      {isFixed && <span className="badge">fixed</span>}
    </ChoicesMenu>
  );
}

const factsOf = ({ weight, price }: Item): string =>
  [formatWeight(weight), price ? `worth ${formatCount(price)} gold` : ''].filter(Boolean).join(', ');
