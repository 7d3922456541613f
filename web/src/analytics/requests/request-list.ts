/**
 * The requests that match a filter, newest first: a list of any length, of which only the part around the visible rows
 * is in memory. Pages are fetched ahead of the reader and dropped behind; the start cursor of each page is kept, so
 * that it can be fetched again.
 */
import { graphql } from '../../../generated/gql.js';
import type { EventFilter, EventsQuery } from '../../../generated/graphql.js';
import { explainError, uncachedClient } from '../../api/client.js';
import { createStore } from '../../kit/base/store.js';

export const EventsDocument = graphql(`
  query Events($filter: EventFilter!, $first: Int!, $after: String) {
    events(filter: $filter, first: $first, after: $after) {
      edges { node { id time host logname user method path protocol status bytes referrer userAgent } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Connection = EventsQuery['events'];
export type LogRequest = Connection['edges'][number]['node'];

const PAGE_ROWS = 200;
/** Pages that are fetched ahead of the last visible one. */
const AHEAD = 3;
/** Pages that are kept on both sides of the visible ones. */
const KEPT = 5;

export interface ListState {
  /** Rows whose position is known: all that were read, including those that were dropped. */
  readonly count: number;
  /** Whether these are all rows. */
  readonly complete: boolean;
  /** Why rows are missing; null otherwise. */
  readonly failure: string | null;
}

export class RequestList {
  /** A new object whenever rows are loaded or dropped. */
  readonly state = createStore<ListState>({ count: 0, complete: false, failure: null });
  readonly #pages = new Map<number, readonly LogRequest[]>();
  /** The cursor before each page, for all pages whose start is known. */
  readonly #cursors: (string | null)[] = [null];
  /** The total number of rows, once the last page has been read. */
  #end: number | null = null;
  /** Cancels the request in flight, by page. */
  readonly #asked = new Map<number, () => void>();
  #failure: string | null = null;
  #sight = { first: 0, last: 0 };

  constructor(private readonly filter: EventFilter) {}

  /** @returns undefined if it is not in memory */
  row(index: number): LogRequest | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Sets the visible rows, which determine the pages to fetch and to drop. */
  look(firstRow: number, lastRow: number): void {
    const known = this.#cursors.length - 1;
    const pageOf = (row: number) => Math.min(known, Math.floor(row / PAGE_ROWS));
    this.#sight = { first: pageOf(firstRow), last: pageOf(lastRow) };
    this.#drop();
    this.#fetch();
  }

  /** Retries after a failure. */
  again(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#tell();
    this.#fetch();
  }

  /** Cancels all requests in flight. */
  close(): void {
    for (const end of this.#asked.values()) end();
    this.#asked.clear();
  }

  #drop(): void {
    const isNear = (page: number) => page >= this.#sight.first - KEPT && page <= this.#sight.last + KEPT;
    // The first page stays: it starts at the request that was newest at the time, for which there is no cursor.
    for (const page of this.#pages.keys()) if (page !== 0 && !isNear(page)) this.#pages.delete(page);
    for (const page of this.#asked.keys()) if (!isNear(page)) this.#endAsking(page);
  }

  #forget(page: number): void {
    this.#pages.delete(page);
    this.#endAsking(page);
  }

  #endAsking(page: number): void {
    this.#asked.get(page)?.();
    this.#asked.delete(page);
  }

  /** Visible pages first, then those after them, then the one before. */
  #fetch(): void {
    if (this.#failure !== null) return;
    const { first, last } = this.#sight;
    const wanted = Array.from({ length: last + AHEAD + 1 - first }, (_, offset) => first + offset);
    for (const page of [...wanted, first - 1]) {
      const after = this.#cursors[page];
      if (after !== undefined && !this.#pages.has(page) && !this.#asked.has(page)) this.#ask(page, after);
    }
  }

  #ask(page: number, after: string | null): void {
    const asked = uncachedClient
      .query(EventsDocument, { filter: this.filter, first: PAGE_ROWS, after })
      .subscribe(({ data, error }) => {
        this.#endAsking(page); // otherwise the client would keep the result for identical requests
        if (data) this.#take(page, data.events);
        else this.#failure = error ? explainError(error) : 'The server did not respond.';
        this.#tell();
        this.#fetch();
      });
    this.#asked.set(page, asked.unsubscribe);
  }

  #take(page: number, { edges, pageInfo: { hasNextPage, endCursor } }: Connection): void {
    const next = hasNextPage && endCursor ? endCursor : undefined;
    // Older requests were added or removed since this page was last read: the pages after it must be counted again.
    if (this.#cursors[page + 1] !== next) this.#cutAfter(page);
    this.#pages.set(
      page,
      edges.map(({ node }) => node),
    );
    if (next === undefined) this.#end = page * PAGE_ROWS + edges.length;
    else this.#cursors[page + 1] = next;
  }

  #cutAfter(page: number): void {
    for (let later = page + 1; later < this.#cursors.length; later += 1) this.#forget(later);
    this.#cursors.length = page + 1;
    this.#end = null;
  }

  #tell(): void {
    const read = (this.#cursors.length - 1) * PAGE_ROWS;
    this.state.set({ count: this.#end ?? read, complete: this.#end !== null, failure: this.#failure });
  }
}
