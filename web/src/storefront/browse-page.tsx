/** All products, or those that have something in common: one thing at a time, since each has an index of its own. */
import { graphql } from '../../generated/gql.js';
import type { ProductFacetsFragment, ProductFilter, ProductSort } from '../../generated/graphql.js';
import { navigate, useLocation } from '../location.js';
import { formatCompact } from '../parts/format.js';
import { Link } from '../parts/link.js';
import { formatRoundMoney } from '../parts/money.js';
import { SkeletonRows } from '../parts/skeleton.js';
import { useTitle } from '../parts/title.js';
import { allAddress, listAddress } from './addresses.js';
import styles from './browse-page.module.css';
import choices from './choices.module.css';
import { AlbumsOfGenre, FilmsOfActor, FilteredProducts } from './lists.js';
import { kindName } from './shelf.js';
import { useShopData } from './use-shop-data.js';

graphql(`
  fragment ProductFacets on ProductFacets {
    types(first: 12) { value count }
    priceBands { from below count }
  }
`);

const FacetsDocument = graphql(`
  query ShopFacets {
    productFacets { ...ProductFacets }
    products(first: 1) { edges { node { id price { currency } } } }
  }
`);

const nothing = {};
/** What the API takes as the highest price, in minor units. */
const PRICE_MAX = 1_000_000_000;
const DEAL_FROM_PERCENT = 10;

/** What the address asks for. */
interface Choice {
  readonly title: string;
  readonly filter: ProductFilter;
  readonly sorts: readonly ProductSort[];
}

const sortNames: Record<ProductSort, string> = {
  SKU: 'As they stand on the shelf',
  DISCOUNT_DESC: 'Largest saving first',
  PRICE_ASC: 'Cheapest first',
  PRICE_DESC: 'Dearest first',
};

function bandName(from: number, below: number | null, currency: string): string {
  const round = (amount: number) => formatRoundMoney({ amount, currency });
  if (below === null) return `${round(from)} and more`;
  return from === 0 ? `Under ${round(below)}` : `${round(from)} to ${round(below)}`;
}

function choiceOf(query: URLSearchParams, currency: string): Choice {
  const type = query.get('kind');
  if (type !== null) return { title: kindName(type), filter: { type }, sorts: ['SKU'] };
  const name = query.get('property');
  if (name !== null) {
    const value = query.get('value') ?? '';
    return { title: value, filter: { property: { name, value } }, sorts: ['SKU'] };
  }
  if (query.has('from')) {
    const from = Number(query.get('from')) || 0;
    const below = query.has('below') ? Number(query.get('below')) || 0 : null;
    const filter = { price: { min: from, max: below === null ? PRICE_MAX : Math.max(from, below - 1) } };
    return { title: bandName(from, below, currency), filter, sorts: ['PRICE_ASC', 'PRICE_DESC'] };
  }
  if (query.has('deals'))
    return { title: 'Deals', filter: { discountAtLeast: DEAL_FROM_PERCENT }, sorts: ['DISCOUNT_DESC'] };
  return { title: 'All products', filter: {}, sorts: ['SKU', 'PRICE_ASC', 'PRICE_DESC', 'DISCOUNT_DESC'] };
}

export function BrowsePage() {
  const { query } = useLocation();
  const { data } = useShopData(FacetsDocument, nothing);
  const currency = data?.products.edges[0]?.node.price.currency ?? null;
  const genre = query.get('genre');
  const actor = query.get('actor');
  const choice = choiceOf(query, currency ?? 'USD');
  const title = genre ?? actor ?? choice.title;
  const asked = query.get('sort');
  const sort = choice.sorts.find((known) => known === asked) ?? choice.sorts[0] ?? 'SKU';
  useTitle(title);

  return (
    <div className={styles.page}>
      <aside className={styles.facets} aria-label="Narrow down">
        {data ? <Facets facets={data.productFacets} currency={currency} query={query} /> : <SkeletonRows rows={10} />}
      </aside>
      <section className={styles.list} aria-labelledby="list-title">
        <header className={styles.header}>
          <h1 id="list-title">{title}</h1>
          {genre === null && actor === null && choice.sorts.length > 1 && (
            <SortField query={query} sorts={choice.sorts} sort={sort} />
          )}
        </header>
        {genre !== null && <AlbumsOfGenre genre={genre} />}
        {genre === null && actor !== null && <FilmsOfActor actor={actor} />}
        {genre === null && actor === null && (
          <FilteredProducts filter={choice.filter} sort={sort} label={choice.title} />
        )}
      </section>
    </div>
  );
}

interface SortFieldProps {
  readonly query: URLSearchParams;
  readonly sorts: readonly ProductSort[];
  readonly sort: ProductSort;
}

function SortField({ query, sorts, sort }: SortFieldProps) {
  const choose = (chosen: string) => navigate(listAddress({ ...Object.fromEntries(query), sort: chosen }));
  return (
    <label className={styles.sort}>
      <span className="label">Order</span>
      <select className="input" value={sort} onChange={(event) => choose(event.target.value)}>
        {sorts.map((each) => (
          <option key={each} value={each}>
            {sortNames[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FacetsProps {
  readonly facets: ProductFacetsFragment;
  readonly currency: string | null;
  readonly query: URLSearchParams;
}

function Facets({ facets: { types, priceBands }, currency, query }: FacetsProps) {
  return (
    <>
      <FacetList
        name="Everything"
        options={[
          { name: 'All products', address: allAddress, here: [...query.keys()].every((key) => key === 'sort') },
          { name: 'Deals', address: listAddress({ deals: '' }), here: query.has('deals') },
        ]}
      />
      {types.length > 1 && (
        <FacetList
          name="Kind"
          options={types.map(({ value, count }) => ({
            name: kindName(value),
            count,
            address: listAddress({ kind: value }),
            here: query.get('kind') === value,
          }))}
        />
      )}
      {currency !== null && (
        <FacetList
          name="Price"
          options={priceBands.map(({ from, below, count }) => ({
            name: bandName(from, below ?? null, currency),
            count,
            address: listAddress({ from: String(from), ...(below == null ? {} : { below: String(below) }) }),
            here: query.get('from') === String(from),
          }))}
        />
      )}
    </>
  );
}

interface FacetListProps {
  readonly name: string;
  readonly options: readonly {
    readonly name: string;
    readonly count?: number;
    readonly address: string;
    readonly here: boolean;
  }[];
}

function FacetList({ name, options }: FacetListProps) {
  return (
    <nav aria-label={name} className={`${styles.facet} ${choices.choices}`}>
      <h2>{name}</h2>
      <ul>
        {options.map((option) => (
          <li key={option.address}>
            <Link href={option.address} aria-current={option.here ? 'page' : undefined}>
              <span>{option.name}</span>
              {option.count !== undefined && <span className={styles.count}>{formatCompact(option.count)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
