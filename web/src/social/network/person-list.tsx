/** People, page by page. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ReactNode, useState } from 'react';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { useLast } from '../../kit/base/use-last.js';
import { Failure } from '../../kit/display/notice.js';
import { networkContext } from '../data/network.js';
import styles from './person-list.module.css';
import { PersonSkeletons } from './person-skeletons.js';

const FIRST = 20;
const POLL_MS = 15_000;

interface Connection<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

interface PageVariables extends Record<string, unknown> {
  readonly first: number;
  readonly after?: string | null;
}

interface PersonListProps<Data, Variables extends PageVariables, Node> {
  readonly label: string;
  readonly query: TypedDocumentNode<Data, Variables>;
  /** Give the list a key of them. */
  readonly variables: Omit<Variables, 'first' | 'after'>;
  readonly connectionOf: (data: Data) => Connection<Node>;
  /** A list item. */
  readonly row: (node: Node) => ReactNode;
  readonly empty: ReactNode;
}

export function PersonList<Data, Variables extends PageVariables, Node>(props: PersonListProps<Data, Variables, Node>) {
  const [pages, setPages] = useState(1);
  return (
    <ul className={styles.people} aria-label={props.label}>
      <PeoplePage {...props} after={null} left={pages} onMore={() => setPages(pages + 1)} />
    </ul>
  );
}

interface PeoplePageProps<Data, Variables extends PageVariables, Node> extends PersonListProps<Data, Variables, Node> {
  readonly after: string | null;
  /** How many pages to show, including this one. */
  readonly left: number;
  readonly onMore: () => void;
}

/** A page, and those below it: each begins after the last person of the one above, as that is now. */
function PeoplePage<Data, Variables extends PageVariables, Node>(props: PeoplePageProps<Data, Variables, Node>) {
  const { query, variables, connectionOf, row, empty, after, left, onMore } = props;
  const asked = { ...variables, first: FIRST, after } as unknown as Variables;
  const { data: current, error, again } = useData(query, asked, networkContext);
  const data = useLast(current);
  usePolling(again, after === null ? POLL_MS : null);
  if (!data)
    return (
      <li>{error ? <Failure again={again}>{error}</Failure> : <PersonSkeletons count={after === null ? 4 : 2} />}</li>
    );
  const { edges, pageInfo } = connectionOf(data);
  const end = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null;
  return (
    <>
      {error && (
        <li>
          <Failure again={again} old>
            {error}
          </Failure>
        </li>
      )}
      {edges.length === 0 && after === null && <li>{empty}</li>}
      {edges.map(({ node }) => row(node))}
      {end !== null && left > 1 && <PeoplePage {...props} after={end} left={left - 1} />}
      {end !== null && left === 1 && (
        <li className={styles.more}>
          <button type="button" className="button" onClick={onMore}>
            Show more
          </button>
        </li>
      )}
    </>
  );
}
