/** Where to look: everything, one's own, a group of the tree, a kind. */
import type { CSSProperties, ReactNode } from 'react';
import type { NodeType } from '../../../generated/graphql.js';
import type { Answer } from '../../api/use-data.js';
import { Link } from '../../kit/controls/link.js';
import { Icon, type IconName } from '../../kit/display/icon.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { type Group, levelOf } from '../data/groups.js';
import { typeWords } from '../data/nodes.js';
import styles from './places-card.module.css';

interface PlacesCardProps {
  readonly groups: Answer<readonly Group[]>;
  readonly query: URLSearchParams;
  readonly viewerId: string;
}

const kinds: readonly NodeType[] = ['BLOG_POST', 'PAGE', 'IMAGE', 'VIDEO', 'QUOTE', 'PHOTO'];

export function PlacesCard({ groups, query, viewerId }: PlacesCardProps) {
  const [parent, author, type] = [query.get('in'), query.get('author'), query.get('type')];
  return (
    <nav className={`card ${styles.places}`} aria-label="Places">
      <ul>
        <Place href="/content" icon="table" here={!parent && !author && !type}>
          All content
        </Place>
        <Place href={`/content?author=${encodeURIComponent(viewerId)}`} icon="user" here={author === viewerId}>
          Created by me
        </Place>
      </ul>
      <h2>Groups</h2>
      <Waiting {...groups} rows={3} height="24px" />
      {groups.data?.length === 0 && <p className="note">No folder, blog or gallery yet.</p>}
      <ul>
        {groups.data?.map((group) => (
          <Place
            key={group.id}
            href={`/content?in=${encodeURIComponent(group.id)}`}
            icon={typeWords[group.type].icon}
            here={group.id === parent}
            level={levelOf(group)}
          >
            {group.title}
          </Place>
        ))}
      </ul>
      <h2>Kinds</h2>
      <ul>
        {kinds.map((kind) => (
          <Place key={kind} href={`/content?type=${kind}`} icon={typeWords[kind].icon} here={type === kind}>
            {typeWords[kind].name}s
          </Place>
        ))}
      </ul>
    </nav>
  );
}

interface PlaceProps {
  readonly href: string;
  readonly icon: IconName;
  readonly here: boolean;
  readonly level?: number;
  readonly children: ReactNode;
}

const Place = ({ href, icon, here, level = 1, children }: PlaceProps) => (
  <li className={styles.item} style={{ '--level': level - 1 } as CSSProperties}>
    <Link className={styles.place} href={href} aria-current={here ? 'true' : undefined}>
      <Icon name={icon} />
      <span className="cut">{children}</span>
    </Link>
  </li>
);
