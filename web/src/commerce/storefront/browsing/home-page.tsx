/** The home page: categories, deals, and a selection of products. */
import { graphql } from '../../../../generated/gql.js';
import type { ShopHomeQuery } from '../../../../generated/graphql.js';
import { formatCount } from '../../../kit/base/format.js';
import { useTitle } from '../../../kit/base/title.js';
import { Link } from '../../../kit/controls/link.js';
import { Empty, Failure } from '../../../kit/display/notice.js';
import { Skeleton } from '../../../kit/display/skeleton.js';
import { AdPlace } from '../parts/ad-place.js';
import { allAddress, categoryAddress, listAddress } from '../parts/addresses.js';
import { Cover } from '../parts/cover.js';
import { ProductGrid, WaitingGrid } from '../parts/product-grid.js';
import { makerOf, type ShelfProduct } from '../parts/shelf.js';
import { useShopData } from '../parts/use-shop-data.js';
import styles from './home-page.module.css';
import { DEAL_FROM_PERCENT } from './listing.js';

const HomeDocument = graphql(`
  query ShopHome($discountAtLeast: Float!) {
    categories { id slug name productCount }
    deals: products(filter: { discountAtLeast: $discountAtLeast }, first: 6) { edges { node { ...ShelfProduct } } }
    products(first: 12) { edges { node { ...ShelfProduct } } }
  }
`);

const variables = { discountAtLeast: DEAL_FROM_PERCENT };
/** The number of categories on the home page. */
const SHELVES_SHOWN = 12;
const ON_DISPLAY = 3;

export function HomePage() {
  useTitle('Shop');
  const { data, error, again } = useShopData(HomeDocument, variables);
  if (error && !data) {
    return (
      <>
        <h1 className="hidden">Shop</h1>
        <Failure again={again}>{error}</Failure>
      </>
    );
  }
  if (!data) return <Waiting />;
  const deals = data.deals.edges.map(({ node }) => node);
  const products = data.products.edges.map(({ node }) => node);
  if (products.length === 0) return <NothingYet />;
  const shelves = [...data.categories].filter(({ productCount }) => productCount > 0);
  return (
    <div className={styles.page}>
      <Hero shown={mixed([...products, ...deals]).slice(0, ON_DISPLAY)} />
      {shelves.length > 0 && <Shelves categories={shelves} />}
      {deals.length > 0 && <Shelf title="Deals" more={listAddress({ deals: '' })} products={deals} />}
      <Shelf title="Browse the shop" more={allAddress} products={products} />
      <AdPlace />
    </div>
  );
}

/** One product of each type first. */
function mixed(products: readonly ShelfProduct[]): readonly ShelfProduct[] {
  const firsts = products.filter(({ type }, index) => products.findIndex((other) => other.type === type) === index);
  const rest = products.filter((product) => !firsts.includes(product));
  return [...firsts, ...rest.reverse()];
}

function Hero({ shown }: { shown: readonly ShelfProduct[] }) {
  return (
    <section className={styles.hero} aria-labelledby="hero-title">
      <div className={styles.heroWords}>
        <h1 id="hero-title">What you see is what we have.</h1>
        <p>
          Stock levels are live, down to the last unit. Items in your cart are reserved for you, and nobody pays for
          something that is sold out.
        </p>
        <Link href={allAddress} className="button primary large">
          Shop now
        </Link>
      </div>
      <div className={styles.display} aria-hidden="true">
        {shown.map((product) => (
          <div key={product.sku}>
            <Cover {...product} maker={makerOf(product)} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Shelves({ categories }: { categories: ShopHomeQuery['categories'] }) {
  return (
    <nav aria-labelledby="shelves-title" className={styles.section}>
      <h2 id="shelves-title">Categories</h2>
      <ul className={styles.shelves}>
        {categories.slice(0, SHELVES_SHOWN).map(({ id, slug, name, productCount }) => (
          <li key={id}>
            <Link href={categoryAddress(slug)} className={`panel ${styles.shelf}`}>
              <strong>{name}</strong>
              <span>{productCount === 1 ? 'One product' : `${formatCount(productCount)} products`}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ShelfProps {
  readonly title: string;
  readonly more: string;
  readonly products: readonly ShelfProduct[];
}

function Shelf({ title, more, products }: ShelfProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.header}>
        <h2>{title}</h2>
        <Link href={more} aria-label={`${title}: see all`}>
          See all
        </Link>
      </header>
      <ProductGrid shelf products={products} label={title} />
    </section>
  );
}

const NothingYet = () => (
  <section className={styles.empty}>
    <h1>Opening soon</h1>
    <Empty icon="cart" title="There are no products yet">
      Products appear here as soon as they are added. Shop staff can add them with <code>sextant import-catalog</code>.
    </Empty>
  </section>
);

const Waiting = () => (
  <div className={styles.page}>
    <h1 className="hidden">Shop</h1>
    <div className={styles.blank}>
      <Skeleton height="100%" />
    </div>
    <WaitingGrid shelf count={12} />
  </div>
);
