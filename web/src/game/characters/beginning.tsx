/** For somebody without a character: what the game is, and the form to begin. */
import { useState } from 'react';
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { useRole } from '../../shell/access.js';
import { SeedOffer } from '../../shell/seed/seed-offer.js';
import { useSeeds } from '../../shell/seed/seeds.js';
import styles from './beginning.module.css';
import { CreateForm } from './create-form.js';
import { Tale } from './tale.js';

export function Beginning({ onCreated }: { onCreated: (id: string) => void }) {
  const [worlds, setWorlds] = useState(0);
  return (
    <div className={styles.beginning}>
      <div className={styles.tale}>
        <Tale />
        <EmptyWorld onFilled={() => setWorlds(worlds + 1)} />
      </div>
      <Card title="Your first character">
        <CreateForm key={worlds} onCreated={onCreated} />
      </Card>
    </div>
  );
}

/** For those who can fill it. */
function EmptyWorld({ onFilled }: { onFilled: () => void }) {
  const isEditor = useRole('EDITOR');
  const { seeds } = useSeeds();
  const [isRead, setRead] = useState(false);
  const isEmpty = seeds?.find(({ domain }) => domain === 'game')?.isEmpty ?? false;
  const [wasEmpty, setWasEmpty] = useState(isEmpty);
  if (isEmpty && !wasEmpty) setWasEmpty(true); // stays until the result of the offer was read
  const end = () => {
    setRead(true);
    onFilled(); // whoever was refused in the empty world may try again
  };
  if (!isEditor) return null;
  if (!wasEmpty || isRead)
    return (
      <p className="note">
        Editors build rooms and things in the <Link href="/game/world">world</Link>.
      </p>
    );
  return (
    <Card title="The world is empty" bodyClass={styles.seed}>
      <SeedOffer domain="game" next="Create a character" onNext={end}>
        Nobody can enter it yet. Fill it with a village on the shore whose lighthouse has gone dark, or{' '}
        <Link href="/game/world">build your own</Link>. You can undo it later.
      </SeedOffer>
    </Card>
  );
}
