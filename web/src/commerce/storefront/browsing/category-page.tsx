/** A category: its path, its subcategories and its products. */
import { graphql } from '../../../../generated/gql.js';
import type { ShopCategoryQuery } from '../../../../generated/graphql.js';
import { formatCompact, formatCount } from '../../../kit/base/format.js';
import { useTitle } from '../../../kit/base/title.js';
import { Link } from '../../../kit/controls/link.js';
import { Empty, Failure } from '../../../kit/display/notice.js';
import { Skeleton, SkeletonRows } from '../../../kit/display/skeleton.js';
import { AdPlace } from '../parts/ad-place.js';
import { allAddress, categoryAddress } from '../parts/addresses.js';
import { Breadcrumb } from '../parts/breadcrumb.js';
import { WaitingGrid } from '../parts/product-grid.js';
import { useShopData } from '../parts/use-shop-data.js';
import styles from './browse-page.module.css';
import tree from './category-page.module.css';
import choices from './choices.module.css';
import { CategoryProducts } from './lists.js';

const CategoryDocument = graphql(`
  query ShopCategory($slug: String!) {
    category(slug: $slug) {
      id
      slug
      name
      productCount
      ancestors { id slug name }
      children { id slug name productCount }
    }
    categories { id slug name productCount }
  }
`);

export function CategoryPage({ slug }: { slug: string }) {
  const { data, error, again } = useShopData(CategoryDocument, { slug });
  const category = data?.category;
  const below = category?.children.filter(hasProducts) ?? [];
  useTitle(category?.name ?? 'Category');
  if (error && !data) return <Failure again={again}>{error}</Failure>;
  if (data && !category) {
    return (
      <>
        <h1 className="hidden">Category not found</h1>
        <Empty
          icon="search"
          title="This category does not exist"
          action={<Link href={allAddress}>See all products</Link>}
        >
          It may have been renamed or removed.
        </Empty>
      </>
    );
  }
  return (
    <div className={styles.page}>
      <aside className={`${styles.facets} ${tree.aside}`} aria-label="Categories">
        {data && category ? <CategoryTree data={data} /> : <SkeletonRows rows={12} />}
      </aside>
      <section className={styles.list} aria-labelledby="list-title">
        {category ? (
          <>
            <header className={tree.header}>
              <Breadcrumb steps={[...category.ancestors].reverse()} />
              <h1 id="list-title">{category.name}</h1>
              <p className={tree.count}>
                {category.productCount === 1 ? 'One product' : `${formatCount(category.productCount)} products`}
              </p>
            </header>
            {below.length > 0 && (
              <nav aria-label={`In ${category.name}`} className={`${tree.below} ${choices.choices}`}>
                <ul>
                  {below.map((child) => (
                    <li key={child.id}>
                      <Link href={categoryAddress(child.slug)}>{child.name}</Link>
                    </li>
                  ))}
                </ul>
              </nav>
            )}
            <CategoryProducts slug={slug} name={category.name} />
            <AdPlace keywords={[category, ...category.ancestors].map(({ name }) => name)} />
          </>
        ) : (
          <>
            <h1 id="list-title">
              <span className="hidden">Loading</span>
              <Skeleton width="260px" height="1.1em" />
            </h1>
            <WaitingGrid count={8} />
          </>
        )}
      </section>
    </div>
  );
}

/** Empty categories are not linked. */
const hasProducts = ({ productCount }: { readonly productCount: number }) => productCount > 0;

/** The root categories; below the open one, the path to the current category and its subcategories. */
function CategoryTree({ data: { category, categories } }: { data: ShopCategoryQuery }) {
  if (!category) return null;
  const path = [...category.ancestors].reverse();
  const open = path[0]?.id ?? category.id;
  const below = category.children.filter(hasProducts);
  return (
    <nav aria-label="Categories" className={`${tree.tree} ${choices.choices}`}>
      <ul>
        {categories
          .filter((root) => root.id === open || hasProducts(root))
          .map((root) => (
            <li key={root.id}>
              <Branch {...root} here={root.id === category.id} />
              {root.id === open && path.length === 0 && <Branches categories={below} />}
              {root.id === open && path.length > 0 && (
                <ul>
                  {path.slice(1).map((step) => (
                    <li key={step.id}>
                      <Branch {...step} />
                    </li>
                  ))}
                  <li>
                    <Branch {...category} here />
                    <Branches categories={below} />
                  </li>
                </ul>
              )}
            </li>
          ))}
      </ul>
    </nav>
  );
}

const Branches = ({ categories }: { categories: readonly (BranchProps & { readonly id: string })[] }) =>
  categories.length > 0 && (
    <ul>
      {categories.map((child) => (
        <li key={child.id}>
          <Branch {...child} />
        </li>
      ))}
    </ul>
  );

interface BranchProps {
  readonly slug: string;
  readonly name: string;
  readonly productCount?: number;
  readonly here?: boolean;
}

const Branch = ({ slug, name, productCount, here = false }: BranchProps) => (
  <Link href={categoryAddress(slug)} aria-current={here ? 'page' : undefined}>
    <span>{name}</span>
    {productCount !== undefined && <span className={styles.count}>{formatCompact(productCount)}</span>}
  </Link>
);
