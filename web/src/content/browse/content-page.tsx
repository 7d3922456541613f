/** Editors: all content, a group with what is below it, a kind, or the nodes of an author. Authors: their own. Filtered by state. */
import { useState } from 'react';
import type { ContentNodesQuery, NodeFilter, NodeState, NodeType } from '../../../generated/graphql.js';
import { viewerStore } from '../../api/session.js';
import { useData } from '../../api/use-data.js';
import { useClock } from '../../kit/base/clock.js';
import { formatAgo, formatMoment } from '../../kit/base/format.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { Link } from '../../kit/controls/link.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Card } from '../../kit/display/card.js';
import { Columns } from '../../kit/display/columns.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty } from '../../kit/display/notice.js';
import cells from '../../kit/lists/cells.module.css';
import { PagedTable } from '../../kit/lists/paged-table.js';
import { useRole } from '../../shell/access.js';
import { type Group, useGroups } from '../data/groups.js';
import { addressOf, isGroup, NodesDocument, ofNodes, typeWords } from '../data/nodes.js';
import { StateBadge } from '../parts/state-badge.js';
import styles from './content-page.module.css';
import { CreateNodeModal } from './create-node-modal.js';
import { ContentFirstSteps } from './first-steps.js';
import { GalleriesCard } from './galleries-card.js';
import { PlacesCard } from './places-card.js';

type Row = ContentNodesQuery['nodes']['edges'][number]['node'];
type ListedState = Exclude<NodeState, 'DELETED'>;

const connectionOf = (data: ContentNodesQuery) => data.nodes;

const states: readonly { readonly value: ListedState | 'ALL'; readonly label: string }[] = [
  { value: 'ALL', label: 'All' },
  { value: 'DRAFT', label: 'Drafts' },
  { value: 'SCHEDULED', label: 'Scheduled' },
  { value: 'PUBLISHED', label: 'Published' },
];

const ANY_NODE = { filter: {}, first: 1 };

export function ContentPage() {
  const isEditor = useRole('EDITOR');
  const address = useLocation();
  const query = isEditor ? address.query : ownOf(address.query);
  const viewer = useStore(viewerStore);
  const groups = useGroups();
  const [creating, setCreating] = useState(false);
  const state = (query.get('state') ?? 'ALL') as ListedState | 'ALL';
  const parent = groups.data?.find(({ id }) => id === query.get('in')) ?? null;
  const filter = filterOf(query, state);
  const choose = (value: ListedState | 'ALL') => {
    const next = new URLSearchParams(query);
    if (value === 'ALL') next.delete('state');
    else next.set('state', value);
    navigate(`/content${next.size > 0 ? `?${next}` : ''}`);
  };
  // Decided once: the first steps stay after the sample data has arrived, until the user continues.
  const [newcomer, setNewcomer] = useState<boolean | null>(null);
  const hasNoGroups = groups.data?.length === 0;
  const anything = useData(NodesDocument, hasNoGroups ? ANY_NODE : null, ofNodes);
  if (isEditor && newcomer === null && groups.data && !(hasNoGroups && !anything.data))
    setNewcomer(hasNoGroups && anything.data?.nodes.edges.length === 0);
  const create = (
    <button type="button" className="button primary" onClick={() => setCreating(true)}>
      <Icon name="plus" /> New
    </button>
  );
  const startReading = () => {
    groups.again();
    setNewcomer(false);
  };
  const creation = creating && (
    <CreateNodeModal
      groups={groups.data ?? []}
      parent={parent}
      kind={newcomer ? 'BLOG' : undefined}
      onClose={() => setCreating(false)}
    />
  );
  if (newcomer)
    return (
      <>
        <ContentFirstSteps onCreate={() => setCreating(true)} onSeeded={startReading} />
        {creation}
      </>
    );
  const list = (
    <Card
      title={isEditor ? <Heading query={query} parent={parent} viewerId={viewer?.id ?? ''} /> : 'My content'}
      aside={create}
    >
      <div className={styles.filters}>
        <Segmented label="State" value={state} options={states} onChange={choose} />
        {parent && (
          <span className={styles.ofParent}>
            <Link className="button small" href={`/content/edit?id=${encodeURIComponent(parent.id)}`}>
              <Icon name="pen" /> Edit {typeWords[parent.type].name.toLowerCase()}
            </Link>
            {parent.type === 'GALLERY' && (
              <Link className="button small" href={addressOf(parent)}>
                <Icon name="picture" /> Open gallery
              </Link>
            )}
          </span>
        )}
      </div>
      <PagedTable
        key={JSON.stringify(filter)}
        label="Content"
        query={NodesDocument}
        variables={{ filter }}
        connectionOf={connectionOf}
        columns={['Title', 'State', 'Author', 'Edited']}
        rows={(edges) => edges.map(({ node, cursor }) => <NodeRow key={cursor} node={node} />)}
        empty={
          <Empty icon="pen" title="Nothing here">
            {state === 'ALL' ? 'Create something with “New”.' : 'Nothing is in this state.'}
          </Empty>
        }
      />
    </Card>
  );
  if (!isEditor)
    return (
      <>
        {list}
        <GalleriesCard groups={groups.data ?? []} />
        {creation}
      </>
    );
  return (
    <Columns first="260px">
      <PlacesCard groups={groups} query={query} viewerId={viewer?.id ?? ''} />
      {list}
      {creation}
    </Columns>
  );
}

/** Authors list nothing else than what is theirs, whatever the address says. */
const ownOf = (query: URLSearchParams) => new URLSearchParams([...query].filter(([name]) => name === 'state'));

/** The server has an index for one of these at a time, with or without a state. */
function filterOf(query: URLSearchParams, state: ListedState | 'ALL'): NodeFilter {
  const [parentId, authorId, type] = [query.get('in'), query.get('author'), query.get('type')];
  return {
    ...(parentId ? { parentId } : authorId ? { authorId } : type ? { type: type as NodeType } : {}),
    ...(state !== 'ALL' && { state }),
  };
}

interface HeadingProps {
  readonly query: URLSearchParams;
  readonly parent: Group | null;
  readonly viewerId: string;
}

function Heading({ query, parent, viewerId }: HeadingProps) {
  const type = query.get('type') as NodeType | null;
  const author = query.get('author');
  if (parent)
    return (
      <span className={styles.name}>
        {parent.title} <span className={styles.path}>{parent.path}</span>
      </span>
    );
  if (author) return author === viewerId ? 'Created by me' : 'By one author';
  return type && type in typeWords ? `${typeWords[type].name}s` : 'All content';
}

const minuteOf = (now: number) => Math.floor(now / 30_000);

function NodeRow({ node }: { node: Row }) {
  const { id, type, title, path, tags, author, editedAt } = node;
  const now = useClock(30_000, minuteOf) * 30_000;
  const edited = Date.parse(editedAt);
  return (
    <tr>
      <th scope="row">
        <span className={styles.title}>
          <span className={styles.icon} title={typeWords[type].name}>
            <Icon name={typeWords[type].icon} />
            <span className="hidden">{typeWords[type].name}</span>
          </span>
          <span>
            <Link
              className={styles.link}
              title={title}
              href={isGroup(type) ? `/content?in=${encodeURIComponent(id)}` : addressOf(node)}
            >
              {title}
            </Link>
            <span className={cells.second}>
              {path}
              {tags.length > 0 && ` · ${tags.slice(0, 5).join(', ')}`}
            </span>
          </span>
        </span>
      </th>
      <td>
        <StateBadge node={node} />
      </td>
      <td>
        {author.id ? (
          <Link className={styles.author} href={`/content?author=${encodeURIComponent(author.id)}`}>
            {author.name || 'A former member'}
          </Link>
        ) : (
          author.name
        )}
      </td>
      <td className={cells.moment} title={`${formatMoment(edited)} UTC`}>
        <time dateTime={editedAt}>{formatAgo(Math.min(edited, now), now)}</time>
      </td>
    </tr>
  );
}
