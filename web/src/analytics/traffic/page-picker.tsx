/** Chooses a page: one with hits, found as the user types, or any other by its exact name. */
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { formatCompact } from '../../kit/base/format.js';
import { Combobox } from '../../kit/controls/combobox.js';
import { Icon } from '../../kit/display/icon.js';
import styles from '../sites/pickers.module.css';
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
        <span className="cut">{page ?? 'No page yet'}</span>
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

function PageFinder({ pages, page, onChoose }: PagePickerProps & { pages: readonly PageHits[] }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = pages.filter((candidate) => candidate.page.toLowerCase().includes(wanted)).slice(0, SHOWN_MAX);
  const other = text !== '' && !pages.some((candidate) => candidate.page === text);
  const option = (name: string, mark: string) => ({
    value: name,
    content: (
      <>
        <span className="cut">{name}</span>
        {name === page && <Icon name="check" />}
        <span className={`menu-detail ${styles.mark}`}>{mark}</span>
      </>
    ),
  });
  const options = found.map(({ page: name, count }) => option(name, formatCompact(count)));
  return (
    <Combobox
      label="Find a page"
      listLabel="Pages"
      text={text}
      onText={setText}
      options={other ? [...options, option(text, 'exactly this page')] : options}
      onChoose={onChoose}
      none="No page has hits yet. Type a page to follow it."
    />
  );
}
