/** Which page: type to find it among those that have hits, or any other by its exact name. */
import { Popover } from 'radix-ui';
import { type KeyboardEvent, useId, useState } from 'react';
import { formatCompact } from '../parts/format.js';
import { Icon } from '../parts/icon.js';
import styles from './pickers.module.css';
import type { PageHits } from './use-top-pages.js';

const SHOWN_MAX = 60;

interface PagePickerProps {
  readonly pages: readonly PageHits[] | null;
  readonly page: string | null;
  readonly onChoose: (page: string) => void;
}

export function PagePicker({ pages, page, onChoose }: PagePickerProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        className={`button ${styles.page}`}
        aria-label={page === null ? 'No page yet. Choose one' : `Page: ${page}. Choose another`}
      >
        <Icon name="page" />
        <span className={styles.name}>{page ?? 'No page yet'}</span>
        <Icon name="chevron" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={`menu ${styles.finder}`} aria-label="Pages" align="start" sideOffset={6}>
          <PageFinder
            pages={pages ?? []}
            page={page}
            onChoose={(chosen) => {
              onChoose(chosen);
              setOpen(false);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** A combobox as WAI-ARIA describes it: the focus stays in the field, the arrow keys move through the list. */
function PageFinder({ pages, page, onChoose }: PagePickerProps & { pages: readonly PageHits[] }) {
  const list = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const wanted = text.trim().toLowerCase();
  const found = pages.filter((candidate) => candidate.page.toLowerCase().includes(wanted)).slice(0, SHOWN_MAX);
  const other = text !== '' && !pages.some((candidate) => candidate.page === text);
  const options = [...found.map((candidate) => candidate.page), ...(other ? [text] : [])];

  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: Math.min(options.length - 1, active + 1),
      ArrowUp: Math.max(0, active - 1),
    };
    const to = moves[event.key];
    const chosen = options[active];
    if (to !== undefined) {
      setActive(to);
      document.getElementById(`${list}-${to}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && chosen !== undefined) onChoose(chosen);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className={styles.search}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={options.length > 0 ? `${list}-${active}` : undefined}
          aria-label="Find a page"
          placeholder="Find a page"
          value={text}
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div role="listbox" id={list} aria-label="Pages" className={styles.options}>
        {options.map((name, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field takes the keys
          <div
            key={name}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            className="menu-item"
            data-highlighted={index === active ? '' : undefined}
            onClick={() => onChoose(name)}
          >
            <span className={styles.name}>{name}</span>
            {name === page && <Icon name="check" />}
            <span className={styles.mark}>
              {index < found.length ? formatCompact(found[index]?.count ?? 0) : 'exactly this page'}
            </span>
          </div>
        ))}
        {options.length === 0 && <p className={styles.none}>No page has hits yet. Type one to watch it.</p>}
      </div>
    </>
  );
}
