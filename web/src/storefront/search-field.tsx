/** Finds products: titles that begin as is typed, or all with a word. A combobox as WAI-ARIA describes it. */
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { navigate, useLocation } from '../location.js';
import { Icon } from '../parts/icon.js';
import { PREFIX_MAX, useTitleCompletions } from '../title-completions.js';
import { productAddress, searchAddress } from './addresses.js';
import styles from './search-field.module.css';

export function SearchField() {
  const list = useId();
  const { query } = useLocation();
  const [text, setText] = useState(query.get('q') ?? '');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState<number | null>(null);
  const options = useTitleCompletions(open ? text : '');

  const close = () => {
    setOpen(false);
    setActive(null);
  };
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    close();
    navigate(searchAddress(text.trim()));
  };
  const press = (event: KeyboardEvent) => {
    const last = options.length - 1;
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown' && last >= 0) setActive(active === null ? 0 : Math.min(last, active + 1));
    else if (event.key === 'ArrowUp' && last >= 0) setActive(active === null || active === 0 ? null : active - 1);
    else if (event.key === 'Enter' && active !== null && options[active]) {
      navigate(productAddress(options[active].sku));
      close();
    } else return;
    event.preventDefault();
  };

  return (
    <search className={styles.search}>
      <form onSubmit={search}>
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-label="Search the shop"
          aria-expanded={options.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active === null ? undefined : `${list}-${active}`}
          placeholder="Search the shop"
          autoComplete="off"
          spellCheck={false}
          maxLength={PREFIX_MAX}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
            setActive(null);
          }}
          onBlur={close}
          onKeyDown={press}
        />
      </form>
      <div role="listbox" id={list} aria-label="Titles" className={styles.options} hidden={options.length === 0}>
        {options.map(({ title, sku }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field takes the keys
          <div
            key={sku}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            className="menu-item"
            data-highlighted={index === active ? '' : undefined}
            onMouseDown={(event) => event.preventDefault() /* the field keeps the focus until the click */}
            onClick={() => {
              navigate(productAddress(sku));
              close();
            }}
          >
            {title}
          </div>
        ))}
      </div>
    </search>
  );
}
