/** Finds a product by the start of its title, ignoring case and accents. */
import { useState } from 'react';
import { SearchBox } from '../../../kit/controls/combobox.js';
import { PREFIX_MAX, useTitleCompletions } from '../../products/title-completions.js';

interface TitleFinderProps {
  readonly label: string;
  readonly onProduct: (sku: string, title: string) => void;
  /** Called with words that are entered as they are. Omitted: only products can be chosen. */
  readonly onWords?: (text: string) => void;
}

/** The value of the option for the words themselves. No SKU starts with a space. */
const WORDS = ' ';

export function TitleFinder({ label, onProduct, onWords }: TitleFinderProps) {
  const [text, setText] = useState('');
  const prefix = text.trim().slice(0, PREFIX_MAX);
  const found = useTitleCompletions(text);
  const completions = found.map(({ title, sku }) => ({
    value: sku,
    content: (
      <>
        <span className="cut">{title}</span>
        <code className="menu-detail">{sku}</code>
      </>
    ),
  }));
  const words = {
    value: WORDS,
    content: <span className="cut">Titles that contain “{prefix}”</span>,
  };
  const enter = () => {
    if (onWords && prefix !== '') onWords(prefix);
  };
  return (
    <SearchBox
      label={label}
      listLabel="Matching titles"
      text={text}
      onText={setText}
      options={onWords && prefix !== '' ? [...completions, words] : completions}
      onChoose={(value) => {
        if (value === WORDS) return enter();
        setText('');
        onProduct(value, found.find(({ sku }) => sku === value)?.title ?? value);
      }}
      onEnter={enter}
    />
  );
}
