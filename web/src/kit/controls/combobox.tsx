/**
 * A field with a list below it, following the WAI-ARIA combobox pattern: focus stays in the field, the arrow keys move
 * through the list.
 */
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Icon } from '../display/icon.js';
import styles from './combobox.module.css';

export interface Option {
  /** Identifies the option. */
  readonly value: string;
  readonly content: ReactNode;
}

interface ComboboxProps {
  readonly label: string;
  /** The accessible name of the list. */
  readonly listLabel: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly options: readonly Option[];
  readonly onChoose: (value: string) => void;
  /** Shown when there are no options. */
  readonly none?: ReactNode;
}

/** The list is always visible, and one option is always highlighted for Enter. */
export function Combobox({ none, ...props }: ComboboxProps) {
  const { list, active, field } = useCombobox(props, 0);
  return (
    <>
      <Field {...props} {...field} type="text" expanded />
      <Options {...props} list={list} active={active} none={none} />
    </>
  );
}

interface SearchBoxProps extends ComboboxProps {
  /** Called on Enter while no option is highlighted. */
  readonly onEnter: (text: string) => void;
}

/** The list floats over the page while the user types. The text can also be submitted as it is. */
export function SearchBox({ onEnter, ...props }: SearchBoxProps) {
  const [open, setOpen] = useState(false);
  const chosen = {
    ...props,
    onText: (text: string) => {
      props.onText(text);
      setOpen(true);
    },
    onChoose: (value: string) => {
      setOpen(false);
      props.onChoose(value);
    },
  };
  const { list, active, field } = useCombobox(chosen, -1);
  const shown = open && props.options.length > 0;
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (active === -1 || !shown)) {
      setOpen(false);
      onEnter(props.text);
    } else if (event.key === 'Escape' && shown) setOpen(false);
    else return field.onKeyDown(event);
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes the list on blur; the element itself takes no input
    <div className={styles.box} onBlur={() => setOpen(false)}>
      <Field {...chosen} {...field} type="search" onKeyDown={press} expanded={shown} />
      {shown && (
        <div className={styles.floating}>
          <Options {...chosen} list={list} active={active} />
        </div>
      )}
    </div>
  );
}

/** @param first the option that is highlighted before the arrow keys are used; -1 for none */
function useCombobox({ options, onText, onChoose }: ComboboxProps, first: number) {
  const list = useId();
  const [active, setActive] = useState(first);
  const highlighted = Math.min(active, options.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: Math.min(options.length - 1, highlighted + 1),
      ArrowUp: Math.max(first, highlighted - 1),
    };
    const to = moves[event.key];
    const option = options[highlighted];
    if (to !== undefined) {
      setActive(to);
      document.getElementById(`${list}-${to}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && option) onChoose(option.value);
    else return;
    event.preventDefault();
  };
  const onType = (text: string) => {
    setActive(first);
    onText(text);
  };
  const activeId = highlighted >= 0 ? `${list}-${highlighted}` : undefined;
  return { list, active: highlighted, field: { list, activeId, onType, onKeyDown } };
}

interface FieldProps {
  readonly label: string;
  readonly type: 'text' | 'search';
  readonly text: string;
  readonly list: string;
  readonly activeId: string | undefined;
  readonly expanded: boolean;
  readonly onType: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function Field({ label, type, text, list, activeId, expanded, onType, onKeyDown }: FieldProps) {
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        type={type}
        role="combobox"
        aria-expanded={expanded}
        aria-controls={list}
        aria-activedescendant={expanded ? activeId : undefined}
        aria-autocomplete="list"
        aria-label={label}
        placeholder={label}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

interface OptionsProps extends Pick<ComboboxProps, 'listLabel' | 'options' | 'onChoose' | 'none'> {
  readonly list: string;
  readonly active: number;
}

function Options({ listLabel, options, onChoose, none, list, active }: OptionsProps) {
  return (
    <div role="listbox" id={list} aria-label={listLabel} className={styles.options}>
      {options.map(({ value, content }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field handles the keys
        <div
          key={value}
          id={`${list}-${index}`}
          role="option"
          aria-selected={index === active}
          className="menu-item"
          data-highlighted={index === active ? '' : undefined}
          onMouseDown={(event) => event.preventDefault()} // the focus stays in the field
          onClick={() => onChoose(value)}
        >
          {content}
        </div>
      ))}
      {options.length === 0 && none && <p className={styles.none}>{none}</p>}
    </div>
  );
}
