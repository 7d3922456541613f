/** The tags of published content with their counts, and what has one of them. */
import { useState } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { TaggedNodesQuery } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { useQuiet } from '../../kit/base/use-quiet.js';
import { Link } from '../../kit/controls/link.js';
import { Bar } from '../../kit/display/bar.js';
import { Card } from '../../kit/display/card.js';
import { Columns } from '../../kit/display/columns.js';
import { Empty } from '../../kit/display/notice.js';
import cells from '../../kit/lists/cells.module.css';
import { PagedTable } from '../../kit/lists/paged-table.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { addressOf, TagsDocument, typeWords } from '../data/nodes.js';
import { StateBadge } from '../parts/state-badge.js';
import styles from './tags-page.module.css';

const TaggedNodesDocument = graphql(`
  query TaggedNodes($tags: [String!]!, $first: Int!, $after: String) {
    tagged(tags: $tags, first: $first, after: $after) {
      edges { cursor node { ...NodeRow } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const connectionOf = (data: TaggedNodesQuery) => data.tagged;
const ofTags = { additionalTypenames: ['TagCount', 'ContentNodeConnection'] };
const choose = (tag: string) => navigate(`/content/tags?tag=${encodeURIComponent(tag)}`);

export function TagsPage() {
  const chosen = useLocation().query.get('tag');
  const [prefix, setPrefix] = useState('');
  const answer = useData(TagsDocument, { prefix: useQuiet(prefix), first: 200 }, ofTags);
  const tags = answer.data?.tags;
  const most = Math.max(1, ...(tags ?? []).map(({ count }) => count));
  return (
    <Columns first="340px">
      <Card title="Tags" aside={<span className="note">of what is published</span>} bodyClass={styles.tags}>
        <input
          className="input"
          type="search"
          aria-label="Find a tag by its beginning"
          placeholder="Find a tag"
          maxLength={50}
          value={prefix}
          onChange={(event) => setPrefix(event.target.value)}
        />
        <Waiting {...answer} rows={6} height="26px" />
        {tags?.length === 0 && (
          <Empty icon="tag" title={prefix ? 'No tag begins like this' : 'No tags yet'}>
            {!prefix && 'Give a post tags in its editor. They appear here when it is published.'}
          </Empty>
        )}
        <div>
          {tags?.map(({ tag, count }) => (
            <Bar key={tag} name={tag} count={count} most={most} chosen={tag === chosen} onChoose={() => choose(tag)} />
          ))}
        </div>
      </Card>
      {chosen === null ? (
        <section className="card">
          <Empty icon="tag" title="No tag selected">
            Select a tag to see what has it.
          </Empty>
        </section>
      ) : (
        <Card title={<span className={styles.name}>{chosen}</span>}>
          <PagedTable
            key={chosen}
            label={`Tagged ${chosen}`}
            query={TaggedNodesDocument}
            variables={{ tags: [chosen] }}
            connectionOf={connectionOf}
            columns={['Title', 'Kind', 'State']}
            rows={(edges) =>
              edges.map(({ node, cursor }) => (
                <tr key={cursor}>
                  <th scope="row">
                    <Link className={cells.who} href={addressOf(node)}>
                      {node.title}
                    </Link>
                    <span className={cells.second}>{node.path}</span>
                  </th>
                  <td>{typeWords[node.type].name}</td>
                  <td>
                    <StateBadge node={node} />
                  </td>
                </tr>
              ))
            }
            empty={
              <Empty icon="tag" title="Nothing published has this tag">
                Drafts may have it.
              </Empty>
            }
          />
        </Card>
      )}
    </Columns>
  );
}
