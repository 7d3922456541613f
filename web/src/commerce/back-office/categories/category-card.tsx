/** A category: its path, its products, and its actions. */
import { useState } from 'react';
import { useData } from '../../../api/use-data.js';
import { formatCount } from '../../../kit/base/format.js';
import { Link } from '../../../kit/controls/link.js';
import { Card } from '../../../kit/display/card.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty } from '../../../kit/display/notice.js';
import { Table } from '../../../kit/lists/table.js';
import { Waiting } from '../../../kit/lists/waiting.js';
import { ProductModal } from '../catalog/product-modal.js';
import { ProductRows, productColumns } from '../catalog/product-rows.js';
import { type CategoryDetail, CategoryPageDocument, ofCategories } from '../data/categories.js';
import styles from './category-card.module.css';
import { AddCategoryModal, RemoveCategoryModal, RenameCategoryModal } from './category-modals.js';
import type { Moving } from './category-tree.js';

interface CategoryCardProps {
  readonly slug: string;
  readonly onMoving: (moving: Moving) => void;
  /** Selects another category; null: none. */
  readonly onSlug: (slug: string | null) => void;
}

type Dialog = 'add' | 'rename' | 'remove';

export function CategoryCard({ slug, onMoving, onSlug }: CategoryCardProps) {
  const { data, error, again } = useData(CategoryPageDocument, { slug }, ofCategories);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const category = data?.category;
  const close = () => setDialog(null);
  const go = (to: string | null) => {
    close();
    onSlug(to);
  };
  return (
    <Card
      title={category?.name ?? slug}
      aside={
        category && (
          <div className={styles.actions}>
            <button type="button" className="button small" onClick={() => setDialog('add')}>
              <Icon name="plus" /> Add subcategory
            </button>
            <button type="button" className="button small" onClick={() => setDialog('rename')}>
              Rename
            </button>
            <button type="button" className="button small" onClick={() => onMoving(category)}>
              Move
            </button>
            <button type="button" className="button small danger" onClick={() => setDialog('remove')}>
              Remove
            </button>
          </div>
        )
      }
    >
      <Waiting data={data} error={error} again={again} rows={6} />
      {data && !category && (
        <Empty icon="folder" title="Category not found">
          It may have been renamed or removed.
        </Empty>
      )}
      {category && <Content category={category} />}
      {category && dialog === 'add' && (
        <AddCategoryModal under={category} onAdded={(added) => go(added.slug)} onClose={close} />
      )}
      {category && dialog === 'rename' && (
        <RenameCategoryModal category={category} onRenamed={(renamed) => go(renamed.slug)} onClose={close} />
      )}
      {category && dialog === 'remove' && (
        <RemoveCategoryModal
          category={category}
          onRemoved={() => go(category.ancestors[0]?.slug ?? null)}
          onClose={close}
        />
      )}
    </Card>
  );
}

function Content({ category: { slug, ancestors, productCount, products } }: { category: CategoryDetail }) {
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <>
      <p className={styles.place}>
        {ancestors.toReversed().map((ancestor) => (
          <span key={ancestor.id}>
            <Link href={`/commerce/categories?category=${ancestor.slug}`}>{ancestor.name}</Link> ›{' '}
          </span>
        ))}
        <code>{slug}</code>
      </p>
      {products.edges.length === 0 ? (
        <Empty icon="page" title="This category has no products">
          Products are assigned to categories when they are saved or imported.
        </Empty>
      ) : (
        <>
          <p className="note">
            {products.pageInfo.hasNextPage
              ? `The first ${products.edges.length} of ${formatCount(productCount)} products, including subcategories`
              : `${formatCount(productCount)} ${productCount === 1 ? 'product' : 'products'}, including subcategories`}
          </p>
          <Table label="Products of the category" columns={productColumns}>
            <tbody>
              <ProductRows edges={products.edges} onOpen={setOpened} />
            </tbody>
          </Table>
        </>
      )}
      {opened && <ProductModal sku={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
