/** A product list that loads page by page on request. Each page has its own query and its own stock subscription. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Failure } from '../../../kit/display/notice.js';
import { ProductGrid, WaitingGrid } from '../parts/product-grid.js';
import type { ShelfProduct } from '../parts/shelf.js';
import { useShopData } from '../parts/use-shop-data.js';
import styles from './product-pages.module.css';

/** Fills whole rows of two, three or four products, and fits into one stock subscription. */
const PAGE = 24;
const WAITING = 8;

export interface ProductConnection {
  readonly edges: readonly { readonly node: ShelfProduct }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

interface PageVariables extends Record<string, unknown> {
  readonly first: number;
  readonly after?: string | null;
}

interface ProductPagesProps<Data, Variables extends PageVariables> {
  readonly query: TypedDocumentNode<Data, Variables>;
  /** Variables other than the page. New values restart the list. */
  readonly variables: Omit<Variables, 'first' | 'after'>;
  readonly connectionOf: (data: Data) => ProductConnection;
  readonly label: string;
  /** Shown when there are no products. */
  readonly empty: ReactNode;
}

export function ProductPages<Data, Variables extends PageVariables>(props: ProductPagesProps<Data, Variables>) {
  return <Pages key={JSON.stringify(props.variables)} {...props} />;
}

function Pages<Data, Variables extends PageVariables>(props: ProductPagesProps<Data, Variables>) {
  const [pages, setPages] = useState(1);
  const [hasMore, setHasMore] = useState(false);
  return (
    <div className={styles.pages}>
      <Page {...props} after={null} left={pages} onEnd={setHasMore} />
      {hasMore && (
        <button type="button" className="button" onClick={() => setPages(pages + 1)}>
          Show more
        </button>
      )}
    </div>
  );
}

interface PageProps<Data, Variables extends PageVariables> extends ProductPagesProps<Data, Variables> {
  readonly after: string | null;
  /** How many pages to show, including this one. */
  readonly left: number;
  readonly onEnd: (hasMore: boolean) => void;
}

function Page<Data, Variables extends PageVariables>(props: PageProps<Data, Variables>) {
  const { query, variables, connectionOf, label, empty, after, left, onEnd } = props;
  const { data, error, again } = useShopData(query, { ...variables, first: PAGE, after } as unknown as Variables);
  const page = data && connectionOf(data);
  const hasMore = page?.pageInfo.hasNextPage ?? null;
  useEffect(() => {
    if (left === 1 && hasMore !== null) onEnd(hasMore);
  }, [left, hasMore, onEnd]);
  return (
    <>
      {error && (
        <Failure again={again} old={page !== null}>
          {error}
        </Failure>
      )}
      {page && page.edges.length > 0 && <ProductGrid label={label} products={page.edges.map(({ node }) => node)} />}
      {page && page.edges.length === 0 && after === null && empty}
      {!page && !error && <WaitingGrid count={WAITING} />}
      {left > 1 && page?.pageInfo.endCursor && <Page {...props} after={page.pageInfo.endCursor} left={left - 1} />}
    </>
  );
}
