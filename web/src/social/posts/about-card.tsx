/** The object that a post is about, as a card that leads to it. */
import type { ReactNode } from 'react';
import { useData } from '../../api/use-data.js';
import { Link } from '../../kit/controls/link.js';
import { Icon } from '../../kit/display/icon.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import { type About, AboutDocument, useAbout } from '../data/about.js';
import { addressOf } from '../parts/links.js';
import styles from './about-card.module.css';

export function AboutCard({ about, isLink = true }: { about: About; isLink?: boolean }) {
  const { kind, icon, title, more, picture, href, isInside, isLoading } = useAbout(about);
  const inside = (
    <>
      <span className={styles.picture}>
        {picture ? <img src={picture} alt="" loading="lazy" /> : <Icon name={icon} size={22} />}
      </span>
      <span className={styles.text}>
        <span className="note">{kind}</span>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <span className={styles.more}>
          {isLoading ? <Skeleton width="60%" /> : more !== title && <bdi>{more}</bdi>}
        </span>
      </span>
    </>
  );
  const address = about.__typename === 'Post' ? addressOf(about.id) : href;
  if (address === null || !isLink) return <div className={styles.about}>{inside}</div>;
  if (isInside || about.__typename === 'Post')
    return (
      <Link className={styles.about} href={address}>
        {inside}
      </Link>
    );
  return (
    <a className={styles.about} href={address} target="_blank" rel="noreferrer">
      {inside}
    </a>
  );
}

/** The same for an object of which only the id is known, with an action beside it. */
export function AboutById({ id, action }: { id: string; action: ReactNode }) {
  const { data, error } = useData(AboutDocument, { id });
  return (
    <div className={styles.chosen}>
      {data?.node ? (
        <AboutCard about={data.node} isLink={false} />
      ) : (
        <div className={styles.about}>
          <span className={styles.picture}>
            <Icon name="link" size={22} />
          </span>
          <span className={styles.text}>
            {data && 'You cannot see this object, or it was deleted.'}
            {error}
            {!data && !error && <Skeleton width="60%" />}
          </span>
        </div>
      )}
      {action}
    </div>
  );
}
