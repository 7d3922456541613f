/** The category tree next to the selected category. */
import { useState } from 'react';
import { usePolling } from '../../../api/polling.js';
import { useData } from '../../../api/use-data.js';
import { formatCount } from '../../../kit/base/format.js';
import { navigate, useLocation } from '../../../kit/base/location.js';
import { Card } from '../../../kit/display/card.js';
import { Columns } from '../../../kit/display/columns.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty, Notice } from '../../../kit/display/notice.js';
import { Waiting } from '../../../kit/lists/waiting.js';
import { type CategoryNode, CategoryRootsDocument, moveCategory, ofCategories } from '../data/categories.js';
import styles from './categories-page.module.css';
import { CategoryCard } from './category-card.js';
import { AddCategoryModal } from './category-modals.js';
import { CategoryTree, type Moving, useDrop } from './category-tree.js';

const nothing = {};
const POLL_MS = 15_000;

const choose = (slug: string | null) =>
  navigate(slug === null ? '/commerce/categories' : `/commerce/categories?category=${encodeURIComponent(slug)}`);

export function CategoriesPage() {
  const { data, error, again } = useData(CategoryRootsDocument, nothing, ofCategories);
  usePolling(again, POLL_MS);
  const chosen = useLocation().query.get('category');
  const [moving, setMoving] = useState<Moving | null>(null);
  const [adding, setAdding] = useState(false);
  const [outcome, setOutcome] = useState<{ readonly tone: 'good' | 'bad'; readonly text: string } | null>(null);
  const roots = data?.categories;

  const move = async (category: Moving, under: string | null) => {
    setMoving(null);
    setOutcome(null);
    const moved = await moveCategory(category.slug, under);
    setOutcome(
      typeof moved === 'string'
        ? { tone: 'bad', text: moved }
        : {
            tone: 'good',
            text: under === null ? `${category.name} is now at the top level` : `${category.name} was moved`,
          },
    );
  };

  return (
    <Columns first="400px">
      <Card
        title="All categories"
        aside={
          <button type="button" className="button" onClick={() => setAdding(true)}>
            <Icon name="plus" /> Add
          </button>
        }
        bodyClass={styles.tree}
      >
        <MoveBar moving={moving} onTop={(category) => void move(category, null)} onCancel={() => setMoving(null)} />
        {outcome && (
          <Notice tone={outcome.tone} icon={outcome.tone === 'good' ? 'check' : 'warning'}>
            {outcome.text}
          </Notice>
        )}
        <Waiting data={roots} error={error} again={again} rows={8} height="28px" />
        {roots?.length === 0 && (
          <Empty icon="folder" title="No categories yet">
            Products are listed in their categories and in all parent categories. Add one, or import a catalog.
          </Empty>
        )}
        {roots && roots.length > 0 && (
          <CategoryTree
            roots={roots}
            chosen={chosen}
            onChoose={choose}
            moving={moving}
            onMoving={setMoving}
            onMove={(category, under) => void move(category, under)}
          />
        )}
      </Card>
      {chosen === null ? (
        <Overview roots={roots ?? null} />
      ) : (
        <CategoryCard key={chosen} slug={chosen} onMoving={setMoving} onSlug={choose} />
      )}
      {adding && (
        <AddCategoryModal
          under={null}
          onAdded={({ slug }) => {
            setAdding(false);
            choose(slug);
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Columns>
  );
}

interface MoveBarProps {
  readonly moving: Moving | null;
  readonly onTop: (moving: Moving) => void;
  readonly onCancel: () => void;
}

/** Always present, so that the tree does not shift when a move starts. */
function MoveBar({ moving, onTop, onCancel }: MoveBarProps) {
  const drop = useDrop(moving !== null, () => moving && onTop(moving));
  return (
    <div className={styles.bar} data-moving={moving !== null} {...drop}>
      <p role="status">
        {moving ? (
          <>
            Where does <strong>{moving.name}</strong> go? Choose a category.
          </>
        ) : (
          <span className="note">Drag a category to move it, or focus it and press M.</span>
        )}
      </p>
      {moving && (
        <div className={styles.choices}>
          <button type="button" className="button small" onClick={() => onTop(moving)}>
            Move to top level
          </button>
          <button type="button" className="button small quiet" onClick={onCancel}>
            Cancel
          </button>
        </div>
      )}
    </div>
  );
}

function Overview({ roots }: { roots: readonly CategoryNode[] | null }) {
  return (
    <section className="card">
      <Empty icon="folder" title="No category selected">
        {roots &&
          `${formatCount(roots.length)} ${roots.length === 1 ? 'category is' : 'categories are'} at the top level. `}
        Select one to see its products, to rename or remove it, or to add subcategories.
      </Empty>
    </section>
  );
}
