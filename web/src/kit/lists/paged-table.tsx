/** A table that loads its rows page by page on request. Each page is its own query, so changes show on any page. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ReactNode, useEffect, useState } from 'react';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { Failure } from '../display/notice.js';
import { Skeleton } from '../display/skeleton.js';
import { Table } from './table.js';
import styles from './table.module.css';

const FIRST = 50;
/** Other users add and remove rows. Only the first page polls: a change there shifts where the next pages start. */
const POLL_MS = 10_000;
const WAITING_ROWS = 5;

export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

interface PageVariables extends Record<string, unknown> {
  readonly first: number;
  readonly after?: string | null;
}

interface PagedTableProps<Data, Variables extends PageVariables, Node> {
  readonly label: string;
  readonly query: TypedDocumentNode<Data, Variables>;
  /** Variables other than the page. Change the `key` along with them, so that the list restarts at its first page. */
  readonly variables?: Omit<Variables, 'first' | 'after'>;
  readonly connectionOf: (data: Data) => Connection<Node>;
  readonly columns: readonly string[];
  /** The rows of a page: a `tr` with a key for each. */
  readonly rows: (edges: readonly Edge<Node>[]) => ReactNode;
  /** Shown when there are no rows. */
  readonly empty: ReactNode;
  /** Increases when there is new data; the pages are then refetched. */
  readonly news?: number | null;
}

export function PagedTable<Data, Variables extends PageVariables, Node>(props: PagedTableProps<Data, Variables, Node>) {
  const { label, columns, empty } = props;
  const [pages, setPages] = useState(1);
  const [end, setEnd] = useState<End | null>(null);
  return (
    <>
      {end === 'empty' && empty}
      <Table label={label} columns={columns} busy={end === null} hidden={end === 'empty'}>
        <Page {...props} after={null} left={pages} polls={pages === 1} onEnd={setEnd} />
      </Table>
      {end !== null && (pages > 1 || end === 'more') && (
        <div className={styles.more}>
          <button type="button" className="button" disabled={end === 'all'} onClick={() => setPages(pages + 1)}>
            {end === 'more' ? 'Show more' : 'End of list'}
          </button>
        </div>
      )}
    </>
  );
}

/** What follows the last visible page. */
type End = 'more' | 'all' | 'empty';

interface PageProps<Data, Variables extends PageVariables, Node> extends PagedTableProps<Data, Variables, Node> {
  readonly after: string | null;
  /** How many pages to show, including this one. */
  readonly left: number;
  readonly polls: boolean;
  readonly onEnd: (end: End) => void;
}

function Page<Data, Variables extends PageVariables, Node>(props: PageProps<Data, Variables, Node>) {
  const { query, variables, connectionOf, columns, rows, after, left, polls, onEnd, news = null } = props;
  const { data, error, again } = useData(query, { ...variables, first: FIRST, after } as unknown as Variables);
  usePolling(again, polls ? POLL_MS : null);
  useEffect(() => {
    if (news !== null) again();
  }, [news, again]);
  const page = data && connectionOf(data);
  const endCursor = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  const end = page && endOf(page, after, left);
  useEffect(() => {
    if (end) onEnd(end);
  }, [end, onEnd]);

  return (
    <>
      <tbody>
        {error && (
          <tr>
            <td colSpan={columns.length}>
              <Failure again={again} old={page !== null}>
                {error}
              </Failure>
            </td>
          </tr>
        )}
        {page && rows(page.edges)}
        {!page && !error && <WaitingRows columns={columns.length} />}
      </tbody>
      {left > 1 && endCursor && <Page {...props} after={endCursor} left={left - 1} />}
    </>
  );
}

/** @returns null if a later page decides */
function endOf(page: Connection<unknown>, after: string | null, left: number): End | null {
  if (page.pageInfo.hasNextPage) return left === 1 ? 'more' : null;
  return after === null && page.edges.length === 0 ? 'empty' : 'all';
}

const WaitingRows = ({ columns }: { columns: number }) =>
  Array.from({ length: WAITING_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
    <tr key={row}>
      <td colSpan={columns}>
        <Skeleton height="22px" width={`${100 - ((row * 37) % 40)}%`} />
      </td>
    </tr>
  ));
