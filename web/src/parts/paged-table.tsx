/** A table's rows, page by page as somebody asks for more. Each page is a query of its own, so a change is shown wherever it is. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Failure } from './notice.js';
import { usePolling } from './polling.js';
import { Skeleton } from './skeleton.js';
import { Table } from './table.js';
import styles from './table.module.css';
import { useData } from './use-data.js';

const FIRST = 50;
/** Things come and go by what others do. Only the first page looks for them: it moves where the next begin. */
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
  /** What is asked for besides the page. Other values need another `key`, so that the list begins at its first page. */
  readonly variables?: Omit<Variables, 'first' | 'after'>;
  readonly connectionOf: (data: Data) => Connection<Node>;
  readonly columns: readonly string[];
  /** The rows of a page: a `tr` with a key for each. */
  readonly rows: (edges: readonly Edge<Node>[]) => ReactNode;
  /** What stands there when there is nothing. */
  readonly empty: ReactNode;
  /** Rises when there is something new: the pages are then asked for again. */
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
            {end === 'more' ? 'Show more' : 'That is all'}
          </button>
        </div>
      )}
    </>
  );
}

/** What follows the last page that is shown. */
type End = 'more' | 'all' | 'empty';

interface PageProps<Data, Variables extends PageVariables, Node> extends PagedTableProps<Data, Variables, Node> {
  readonly after: string | null;
  /** How many pages are to be shown, with this one. */
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

/** @returns null when a further page tells */
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
