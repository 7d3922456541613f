/**
 * The category tree. To move a category, drag it, or start the move and then choose its new parent, which also works by
 * keyboard and by touch. Branches are loaded when they are opened.
 */
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import { usePolling } from '../../../api/polling.js';
import { useData } from '../../../api/use-data.js';
import { formatCompact, formatCountOf } from '../../../kit/base/format.js';
import { Icon } from '../../../kit/display/icon.js';
import { Failure } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { CategoryChildrenDocument, type CategoryNode } from '../data/categories.js';
import styles from './category-tree.module.css';

export interface Moving {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

interface CategoryTreeProps {
  readonly roots: readonly CategoryNode[];
  /** The slug of the selected category. */
  readonly chosen: string | null;
  readonly onChoose: (slug: string) => void;
  /** The category that is being moved. */
  readonly moving: Moving | null;
  readonly onMoving: (moving: Moving | null) => void;
  /** @param under null: it becomes a root */
  readonly onMove: (moving: Moving, under: string | null) => void;
}

const POLL_MS = 15_000;

export function CategoryTree(props: CategoryTreeProps) {
  const { roots, chosen, moving, onChoose, onMoving, onMove } = props;
  const tree = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const turn = (id: string, on: boolean) => {
    const next = new Set(open);
    if (on) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  const enterable = focused ?? roots.find(({ slug }) => slug === chosen)?.id ?? roots[0]?.id ?? null;
  const choose = ({ id, slug }: CategoryNode) => {
    if (moving) return moving.id !== id && onMove(moving, slug);
    onChoose(slug);
  };

  const press = (event: KeyboardEvent<HTMLLIElement>, node: CategoryNode) => {
    const item = event.currentTarget;
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const isOpen = open.has(node.id);
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
    const at = items.indexOf(item);
    const level = levelOf(item);
    const firstBelow = items.slice(at + 1, at + 2).find((next) => levelOf(next) > level); // none while the branch is loading
    const parent = items.slice(0, at).findLast((before) => levelOf(before) < level);
    const actions: Record<string, () => void> = {
      ArrowDown: () => items[at + 1]?.focus(),
      ArrowUp: () => items[at - 1]?.focus(),
      Home: () => items[0]?.focus(),
      End: () => items.at(-1)?.focus(),
      ArrowRight: () => (isOpen ? firstBelow?.focus() : node.childCount > 0 && turn(node.id, true)),
      ArrowLeft: () => (isOpen ? turn(node.id, false) : parent?.focus()),
      Enter: () => choose(node),
      ' ': () => choose(node),
      m: () => onMoving(node),
      Escape: () => onMoving(null),
    };
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const shared = { ...props, open, turn, enterable, onFocus: setFocused, press, choose };
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a list is the fallback for a tree
    <ul ref={tree} role="tree" aria-label="Categories" className={styles.tree}>
      {roots.map((node) => (
        <Item key={node.id} {...shared} node={node} level={1} />
      ))}
    </ul>
  );
}

const levelOf = (item: HTMLElement) => Number(item.ariaLevel);

interface ItemProps extends CategoryTreeProps {
  readonly node: CategoryNode;
  readonly level: number;
  readonly open: ReadonlySet<string>;
  readonly turn: (id: string, on: boolean) => void;
  /** The id of the item that the Tab key focuses. */
  readonly enterable: string | null;
  readonly onFocus: (id: string) => void;
  readonly press: (event: KeyboardEvent<HTMLLIElement>, node: CategoryNode) => void;
  readonly choose: (node: CategoryNode) => void;
}

/** A category followed by its children: all items are in one flat list, and `aria-level` makes it a tree. */
function Item(props: ItemProps) {
  const { node, level, chosen, moving, open, turn, enterable, onFocus, press, choose, onMoving, onMove } = props;
  const { id, slug, name, childCount, productCount } = node;
  const isOpen = open.has(id) && childCount > 0;
  const drop = useDrop(moving !== null && moving.id !== id, () => moving && onMove(moving, slug));
  return (
    <>
      <li
        role="treeitem"
        aria-level={level}
        aria-selected={slug === chosen}
        aria-expanded={childCount > 0 ? isOpen : undefined}
        tabIndex={id === enterable ? 0 : -1}
        data-moving={moving?.id === id}
        className={styles.item}
        style={{ paddingInlineStart: `${level * 18 - 12}px` }}
        draggable
        {...drop}
        onFocus={() => onFocus(id)}
        onKeyDown={(event) => press(event, node)}
        onClick={() => choose(node)}
        onDragStart={(event) => {
          event.dataTransfer.setData('text/plain', name);
          event.dataTransfer.effectAllowed = 'move';
          setTimeout(() => onMoving(node)); // a change of the page at the start of a drag would cancel it
        }}
        onDragEnd={() => onMoving(null)}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the item handles the keys */}
        <span
          className={styles.arrow}
          data-open={isOpen}
          data-leaf={childCount === 0}
          onClick={(event) => {
            event.stopPropagation();
            turn(id, !isOpen);
          }}
        >
          <Icon name="chevron" size={14} />
        </span>
        <span className={`cut ${styles.name}`}>{name}</span>
        <span className={styles.count} title={`${formatCountOf(productCount, 'product')}, including subcategories`}>
          {formatCompact(productCount)}
          <span className="hidden"> {productCount === 1 ? 'product' : 'products'}</span>
        </span>
      </li>
      {isOpen && <Branch {...props} level={level + 1} />}
    </>
  );
}

function Branch(props: ItemProps) {
  const { data, error, again } = useData(CategoryChildrenDocument, { slug: props.node.slug });
  usePolling(again, POLL_MS);
  const children = data?.category?.children;
  return (
    <>
      {error && !children && (
        <li role="none">
          <Failure again={again}>{error}</Failure>
        </li>
      )}
      {!children && !error && (
        <li role="none" className={styles.waiting}>
          <SkeletonRows rows={Math.min(4, props.node.childCount)} height="20px" />
        </li>
      )}
      {children?.map((node) => (
        <Item key={node.id} {...props} node={node} />
      ))}
    </>
  );
}

/** Props of a drop target. @param takes whether the dragged item may be dropped here */
export function useDrop(takes: boolean, onDrop: () => void) {
  const [over, setOver] = useState(false);
  return {
    'data-over': over && takes,
    onDragOver: (event: DragEvent) => {
      if (!takes) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      if (!over) setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!takes) return;
      event.preventDefault();
      onDrop();
    },
  } as const;
}
