/** What a shopkeeper sells, and what it would buy. */
import { useState } from 'react';
import { formatCount } from '../../kit/base/format.js';
import { Modal } from '../../kit/controls/modal.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { formatWeight } from '../parts/weight.js';
import { buy, type Choice, choicesForItem, resalePrice } from '../screen/choices.js';
import type { Item, Somebody } from '../screen/types.js';
import { usePlaying } from './playing.js';
import { itemIcons } from './things.js';
import styles from './trade-modal.module.css';

export function TradeModal({ keeper, onClose }: { keeper: Somebody; onClose: () => void }) {
  const { screen, goods, choose, now } = usePlaying();
  const [opened] = useState(now.log.next);
  const last = now.log.lines.findLast(({ id, kind }) => id >= opened && kind !== 'typed');
  const sales = screen.inventory.flatMap((item) =>
    choicesForItem(screen, item)
      .filter(({ act }) => act.do === 'sell' && act.shopkeeperId === keeper.id)
      .map((choice) => ({ item, choice })),
  );
  return (
    <Modal
      title={`Trade with ${keeper.name}`}
      description={`You have ${formatCount(screen.gold)} gold.`}
      open
      onOpenChange={onClose}
      sheet
    >
      {last?.kind === 'told' && <Notice tone="warn">{last.text}</Notice>}
      <h3 className="label">For sale</h3>
      {goods.length === 0 && <p className="note">Nothing at the moment.</p>}
      <ul className={styles.goods} aria-label="For sale">
        {goods.map((item) => (
          <Row
            key={item.id}
            item={item}
            price={item.price ?? 0}
            choice={{ ...buy(keeper, item), words: 'Buy' }}
            disabled={(item.price ?? 0) > screen.gold}
            onChoose={choose}
          />
        ))}
      </ul>
      <h3 className="label">You could sell</h3>
      {sales.length === 0 && <p className="note">Nothing that has a price.</p>}
      <ul className={styles.goods} aria-label="You could sell">
        {sales.map(({ item, choice }) => (
          <Row
            key={item.id}
            item={item}
            price={resalePrice(item.price ?? 0)}
            choice={{ ...choice, words: 'Sell' }}
            disabled={false}
            onChoose={choose}
          />
        ))}
      </ul>
    </Modal>
  );
}

interface RowProps {
  readonly item: Item;
  readonly price: number;
  readonly choice: Choice;
  readonly disabled: boolean;
  readonly onChoose: (choice: Choice) => void;
}

const Row = ({ item, price, choice, disabled, onChoose }: RowProps) => (
  <li className={styles.row}>
    <Icon name={itemIcons[item.kind]} />
    <span className={styles.label}>
      <strong>{item.label}</strong> <span className="note">{formatWeight(item.weight)}</span>
    </span>
    <span className={styles.price}>
      <Icon name="coin" size={13} /> {formatCount(price)}
    </span>
    <button
      type="button"
      className="button small"
      aria-label={`${choice.words} ${item.label} for ${formatCount(price)} gold`}
      disabled={disabled}
      onClick={() => onChoose(choice)}
    >
      {choice.words}
    </button>
  </li>
);
