/** Facets with product counts. Selecting a value lists its products. */

import { useState } from 'react';
import type { ProductFilter } from '../../../../generated/graphql.js';
import { formatRoundMoney } from '../../../kit/base/money.js';
import { Bar } from '../../../kit/display/bar.js';
import { nameOfType } from '../../products/type-name.js';
import type { Facets } from '../data/facet-data.js';
import { hasFacet, PRICE_MAX, withFacet, withoutFacet } from './catalog-view.js';
import styles from './facets.module.css';

const SHORT = 6;

interface Value {
  readonly name: string;
  readonly count: number;
  readonly filter: ProductFilter;
}

interface FacetListProps {
  readonly facets: Facets;
  readonly currency: string;
  readonly filter: ProductFilter;
  readonly onFilter: (filter: ProductFilter) => void;
}

export function FacetList({ facets, currency, filter, onFilter }: FacetListProps) {
  const groups = groupsOf(facets, currency);
  // On a narrow page all groups but the first start collapsed, so that the products come first.
  return (
    <div className={styles.groups}>
      {groups.map(({ name, values }) => (
        <Group
          key={name}
          name={name}
          values={values}
          isChosen={(facet) => hasFacet(filter, facet)}
          onChoose={(facet) =>
            onFilter(hasFacet(filter, facet) ? withoutFacet(filter, facet) : withFacet(filter, facet))
          }
        />
      ))}
    </div>
  );
}

function groupsOf(facets: Facets, currency: string): { readonly name: string; readonly values: readonly Value[] }[] {
  const { types, genres, priceBands, properties } = facets;
  const named = new Map<string, Value[]>();
  for (const { name, value, count } of properties) {
    named.set(name, [...(named.get(name) ?? []), { name: value, count, filter: { property: { name, value } } }]);
  }
  const groups = [
    {
      name: 'Type',
      values: types.map(({ value, count }) => ({ name: nameOfType(value), count, filter: { type: value } })),
    },
    { name: 'Price', values: priceBands.map((band) => priceValue(band, currency)) },
    { name: 'Genre', values: genres.map(({ value, count }) => ({ name: value, count, filter: { genre: value } })) },
    ...[...named].map(([name, values]) => ({ name: nameOfType(name), values })),
  ];
  return groups.filter(({ values }) => values.length > 0);
}

function priceValue({ from, below, count }: Facets['priceBands'][number], currency: string): Value {
  const max = typeof below === 'number' ? below - 1 : PRICE_MAX;
  return { name: describePrice(from, max, currency), count, filter: { price: { min: from, max } } };
}

function describePrice(min: number, max: number, currency: string): string {
  const money = (amount: number) => formatRoundMoney({ amount, currency });
  if (max >= PRICE_MAX) return `${money(min)} and up`;
  return min === 0 ? `Under ${money(max + 1)}` : `${money(min)} to under ${money(max + 1)}`;
}

/** The filter in words; empty if there is none. @param currency empty while it is unknown */
export function describeFilter({ type, genre, price, property }: ProductFilter, currency: string): string {
  const kindred = type ? nameOfType(type) : (genre ?? (property && `${nameOfType(property.name)}: ${property.value}`));
  const cost = price && currency && describePrice(price.min, price.max, currency);
  return [kindred, cost].filter(Boolean).join(', ');
}

interface GroupProps {
  readonly name: string;
  readonly values: readonly Value[];
  readonly isChosen: (facet: ProductFilter) => boolean;
  readonly onChoose: (filter: ProductFilter) => void;
}

function Group({ name, values, isChosen, onChoose }: GroupProps) {
  const [all, setAll] = useState(false);
  const most = Math.max(...values.map(({ count }) => count));
  return (
    <details className={styles.group} open>
      <summary>{name}</summary>
      <ul className={styles.values}>
        {(all ? values : values.slice(0, SHORT)).map((value) => (
          <li key={value.name}>
            <Bar
              name={value.name}
              count={value.count}
              most={most}
              chosen={isChosen(value.filter)}
              onChoose={() => onChoose(value.filter)}
            />
          </li>
        ))}
      </ul>
      {values.length > SHORT && (
        <button type="button" className={`link ${styles.more}`} onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `${values.length - SHORT} more`}
          <span className="hidden"> of {name}</span>
        </button>
      )}
    </details>
  );
}
