/** Finds products by the start of a title, or by words. */
import { useState } from 'react';
import { navigate, useLocation } from '../../../kit/base/location.js';
import { SearchBox } from '../../../kit/controls/combobox.js';
import { PREFIX_MAX, useTitleCompletions } from '../../products/title-completions.js';
import { productAddress, searchAddress } from '../parts/addresses.js';
import styles from './search-field.module.css';

export function SearchField() {
  const { query } = useLocation();
  const [text, setText] = useState(query.get('q') ?? '');
  const [typed, setTyped] = useState(false); // the text from the URL has already been searched for
  const found = useTitleCompletions(typed ? text : '');
  const search = () => {
    const words = text.trim().slice(0, PREFIX_MAX);
    if (words !== '') navigate(searchAddress(words));
  };
  return (
    <search className={styles.search}>
      <SearchBox
        label="Search the shop"
        listLabel="Titles"
        text={text}
        onText={(next) => {
          setText(next);
          setTyped(true);
        }}
        options={found.map(({ title, sku }) => ({ value: sku, content: title }))}
        onChoose={(sku) => navigate(productAddress(sku))}
        onEnter={search}
      />
    </search>
  );
}
