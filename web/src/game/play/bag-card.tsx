/** What the character is, has and carries. */
import { formatCount } from '../../kit/base/format.js';
import { Card } from '../../kit/display/card.js';
import { Icon, type IconName } from '../../kit/display/icon.js';
import { formatWeight } from '../parts/weight.js';
import styles from './bag-card.module.css';
import { usePlaying } from './playing.js';
import { Things } from './things.js';

export function BagCard() {
  const { screen } = usePlaying();
  return (
    <Card title="You carry" aside={<span className="note">{formatCount(screen.inventory.length)}</span>}>
      <Bag />
    </Card>
  );
}

export function Bag() {
  const { screen } = usePlaying();
  return <Things label="Things you carry" items={screen.inventory} empty="Nothing. Take something that lies around." />;
}

export function Vitals() {
  const { screen } = usePlaying();
  const { health, mana, gold, weight, weightMax } = screen;
  return (
    <dl className={styles.vitals}>
      <Vital icon="heart" name="Health" value={formatCount(health)} />
      <Vital icon="spark" name="Mana" value={formatCount(mana)} />
      <Vital icon="coin" name="Gold" value={formatCount(gold)} />
      <Vital
        icon="weight"
        name="Load"
        value={`${formatWeight(weight)} of ${formatWeight(weightMax)}`}
        share={weight / Math.max(1, weightMax)}
      />
    </dl>
  );
}

interface VitalProps {
  readonly icon: IconName;
  readonly name: string;
  readonly value: string;
  /** Of what is possible. */
  readonly share?: number;
}

const Vital = ({ icon, name, value, share }: VitalProps) => (
  <div className={styles.vital} data-name={name}>
    <dt>
      <Icon name={icon} size={14} /> <span>{name}</span>
    </dt>
    <dd>
      {value}
      {share !== undefined && (
        <span className={styles.bar} aria-hidden="true">
          <span style={{ transform: `scaleX(${Math.min(1, share)})` }} />
        </span>
      )}
    </dd>
  </div>
);
