/** The catalog with live stock: products by facet, by words in the title, or by the start of the title. */
import { useState } from 'react';
import type { CatalogProductsQuery, CatalogSearchQuery, ProductSort } from '../../../../generated/graphql.js';
import { useMedia } from '../../../kit/base/media.js';
import { Columns } from '../../../kit/display/columns.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty } from '../../../kit/display/notice.js';
import { PagedTable } from '../../../kit/lists/paged-table.js';
import { Waiting } from '../../../kit/lists/waiting.js';
import { useFacets } from '../data/facet-data.js';
import { CatalogProductsDocument, CatalogSearchDocument } from '../data/products.js';
import { TitleFinder } from '../parts/title-finder.js';
import styles from './catalog-page.module.css';
import { type CatalogView, sortsFor, sortWords, useCatalogView } from './catalog-view.js';
import { describeFilter, FacetList } from './facets.js';
import { CatalogFirstSteps } from './first-steps.js';
import { ProductModal } from './product-modal.js';
import { ProductRows, productColumns } from './product-rows.js';

const listOf = (data: CatalogProductsQuery) => data.products;
const foundOf = (data: CatalogSearchQuery) => data.searchProducts;

export function CatalogPage() {
  const [view, setView] = useCatalogView();
  const { facets, currency, error, again } = useFacets();
  // Decided once: the first steps stay after the first product arrives, until the user continues.
  const [newcomer, setNewcomer] = useState<boolean | null>(null);
  if (newcomer === null && facets) setNewcomer(facets.types.length === 0);
  const isWide = useMedia('(min-width: 961px)');
  const openProduct = (sku: string) => setView({ sku });

  if (newcomer) return <CatalogFirstSteps currency={currency} onDone={() => setNewcomer(false)} />;
  return (
    <Columns first="270px">
      <aside className={`card ${styles.facets}`} aria-label="Facets">
        <Waiting data={facets} error={error} again={again} rows={isWide ? 9 : 1} height="24px" />
        {facets && (
          // Where it is above the products it is collapsed, and collapses again after a choice.
          <details key={isWide ? 'wide' : JSON.stringify(view.filter)} open={isWide}>
            <summary hidden={isWide}>Filter by type, price and more</summary>
            <FacetList
              facets={facets}
              currency={currency}
              filter={view.filter}
              onFilter={(filter) =>
                setView({ filter, sort: null, text: filter.type && !filter.price ? view.text : null })
              }
            />
          </details>
        )}
      </aside>
      <section className="card" aria-labelledby="products">
        <header className={styles.head}>
          <h2 id="products">{headingOf(view, currency)}</h2>
          <div className={styles.finder}>
            <TitleFinder
              label="Find a product"
              onProduct={openProduct}
              onWords={(text) => setView({ text, filter: {}, sort: null })}
            />
          </div>
          {view.text === null && sortsFor(view.filter).length > 1 && (
            <SortPicker view={view} onSort={(sort) => setView({ sort })} />
          )}
          {(view.text !== null || Object.keys(view.filter).length > 0) && (
            <button type="button" className="button" onClick={() => setView({ text: null, filter: {}, sort: null })}>
              <Icon name="close" /> Show all
            </button>
          )}
        </header>
        <div className="body">
          <Results view={view} onOpen={openProduct} />
        </div>
      </section>
      {view.sku && <ProductModal key={view.sku} sku={view.sku} onClose={() => setView({ sku: null })} />}
    </Columns>
  );
}

function headingOf({ text, filter }: CatalogView, currency: string): string {
  const narrowed = describeFilter(filter, currency);
  if (text !== null) return `“${text}”${narrowed && ` in ${narrowed}`}`;
  return narrowed || 'All products';
}

function Results({ view: { text, filter, sort }, onOpen }: { view: CatalogView; onOpen: (sku: string) => void }) {
  const shared = { label: 'Products', columns: productColumns } as const;
  if (text !== null) {
    return (
      <PagedTable
        {...shared}
        key={JSON.stringify([text, filter])}
        query={CatalogSearchDocument}
        variables={{ text, type: filter.type ?? null }}
        connectionOf={foundOf}
        rows={(edges) => <ProductRows edges={edges} onOpen={onOpen} />}
        empty={
          <Empty icon="search" title={`No title contains “${text}”`}>
            The search ignores case and accents. The last word may be incomplete.
          </Empty>
        }
      />
    );
  }
  return (
    <PagedTable
      {...shared}
      key={JSON.stringify([filter, sort])}
      query={CatalogProductsDocument}
      variables={{ filter, sort }}
      connectionOf={listOf}
      rows={(edges) => <ProductRows edges={edges} onOpen={onOpen} />}
      empty={<Empty icon="search" title="No matching products" />}
    />
  );
}

function SortPicker({ view: { filter, sort }, onSort }: { view: CatalogView; onSort: (sort: ProductSort) => void }) {
  const sorts = sortsFor(filter);
  return (
    <select
      className={`input ${styles.sort}`}
      aria-label="Sort by"
      value={sort ?? sorts[0]}
      onChange={(event) => onSort(event.target.value as ProductSort)}
    >
      {sorts.map((each) => (
        <option key={each} value={each}>
          {sortWords[each]}
        </option>
      ))}
    </select>
  );
}
