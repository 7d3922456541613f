/** All products, or those of one facet and one price band: the combinations for which the API has an index. */
import { graphql } from '../../../../generated/gql.js';
import type { ProductFacetsFragment, ProductSort } from '../../../../generated/graphql.js';
import { formatCompact } from '../../../kit/base/format.js';
import { navigate, useLocation } from '../../../kit/base/location.js';
import { useTitle } from '../../../kit/base/title.js';
import { Link } from '../../../kit/controls/link.js';
import { Icon } from '../../../kit/display/icon.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { allAddress, listAddress } from '../parts/addresses.js';
import { kindName } from '../parts/shelf.js';
import { useShopData } from '../parts/use-shop-data.js';
import styles from './browse-page.module.css';
import choices from './choices.module.css';
import { bandName, bandQuery, type Listing, listingOf, type Narrowing, narrowedAddress } from './listing.js';
import { AlbumsOfGenre, FilmsOfActor, FilteredProducts } from './lists.js';

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

const sortNames: Record<ProductSort, string> = {
  SKU: 'By SKU',
  DISCOUNT_DESC: 'Highest discount first',
  PRICE_ASC: 'Cheapest first',
  PRICE_DESC: 'Most expensive first',
};

export function BrowsePage() {
  const { query } = useLocation();
  const { data } = useShopData(FacetsDocument, nothing);
  const currency = data?.products.edges[0]?.node.price.currency ?? null;
  const genre = query.get('genre');
  const actor = query.get('actor');
  const listing = listingOf(query, currency ?? 'USD');
  const title = genre ?? actor ?? listing.title;
  const asked = query.get('sort');
  const sort = listing.sorts.find((known) => known === asked) ?? listing.sorts[0] ?? 'SKU';
  useTitle(title);

  return (
    <div className={styles.page}>
      <aside className={styles.facets} aria-label="Filters">
        {data ? (
          <Facets facets={data.productFacets} currency={currency} query={query} listing={listing} />
        ) : (
          <SkeletonRows rows={10} />
        )}
      </aside>
      <section className={styles.list} aria-labelledby="list-title">
        <header className={styles.header}>
          <h1 id="list-title">{title}</h1>
          {genre === null && actor === null && listing.sorts.length > 1 && (
            <SortField query={query} sorts={listing.sorts} sort={sort} />
          )}
          <Chosen {...listing} />
        </header>
        {genre !== null && <AlbumsOfGenre genre={genre} />}
        {genre === null && actor !== null && <FilmsOfActor actor={actor} />}
        {genre === null && actor === null && (
          <FilteredProducts filter={listing.filter} sort={sort} label={listing.title} />
        )}
      </section>
    </div>
  );
}

/** The active filters, each with a link that removes it. */
function Chosen({ kindred, price }: Listing) {
  const chips = [
    { chosen: kindred, left: price },
    { chosen: price, left: kindred },
  ];
  const shown = chips.filter((chip): chip is { chosen: Narrowing; left: Narrowing | null } => chip.chosen !== null);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.chosen} aria-label="Active filters">
      {shown.map(({ chosen, left }) => (
        <li key={chosen.name}>
          <Link href={narrowedAddress(left?.query)} aria-label={`Remove ${chosen.name}`}>
            <span>{chosen.name}</span>
            <Icon name="close" />
          </Link>
        </li>
      ))}
    </ul>
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
      <span className="label">Sort by</span>
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
  readonly listing: Listing;
}

/**
 * Offers only filters that can be combined with the active ones, so that no choice removes another. Counts are known
 * only for the whole catalog, so they are hidden while another filter is active.
 */
function Facets({ facets: { types, priceBands }, currency, query, listing: { kindred, price } }: FacetsProps) {
  const isStandaloneList = ['deals', 'genre', 'actor'].some((name) => query.has(name));
  const isKind = kindred === null || query.has('kind');
  return (
    <>
      <FacetList
        name="Everything"
        options={[
          { name: 'All products', address: allAddress, here: [...query.keys()].every((key) => key === 'sort') },
          { name: 'Deals', address: listAddress({ deals: '' }), here: query.has('deals') },
        ]}
      />
      {types.length > 1 && isKind && (
        <FacetList
          name="Type"
          options={types.map(({ value, count }) => ({
            name: kindName(value),
            count: price ? undefined : count,
            address: narrowedAddress({ kind: value }, price?.query),
            here: query.get('kind') === value,
          }))}
        />
      )}
      {currency !== null && !isStandaloneList && (
        <FacetList
          name="Price"
          options={priceBands.map(({ from, below = null, count }) => ({
            name: bandName(from, below, currency),
            count: kindred ? undefined : count,
            address: narrowedAddress(kindred?.query, bandQuery(from, below)),
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
    readonly count?: number | undefined;
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
