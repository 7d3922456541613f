/** Sample data, for administrators of an empty domain. It stays after it was added, to say so. */
import { type ReactNode, useState } from 'react';
import { Card } from '../../kit/display/card.js';
import styles from './seed-card.module.css';
import { SeedOffer } from './seed-offer.js';
import { useSeeds } from './seeds.js';

interface SeedCardProps {
  readonly domain: string;
  /** The label of the button that ends it. */
  readonly next: string;
  readonly onNext?: () => void;
  /** Called whenever some of it was added. */
  readonly onAdded?: () => void;
  /** What will be added. */
  readonly children: ReactNode;
}

export function SeedCard({ domain, next, onNext, onAdded, children }: SeedCardProps) {
  const { seeds } = useSeeds();
  const [wasEmpty, setWasEmpty] = useState(false);
  const [isRead, setIsRead] = useState(false);
  const isEmpty = seeds?.find((each) => each.domain === domain)?.isEmpty ?? false;
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  if (!wasEmpty || isRead) return null;
  const end = () => {
    setIsRead(true);
    onNext?.();
  };
  return (
    <Card title="Look around first" bodyClass={styles.offer}>
      <SeedOffer domain={domain} next={next} onNext={end} onAdded={onAdded}>
        {children}
      </SeedOffer>
    </Card>
  );
}
