/** Lines of world files, and what a conversion has made of them, in short. */
import type { ReadLine, SourceRow } from '../../../src/models/game/import/rows/world-row.js';

/** As a file of these rows is read. */
export const readLinesOf = (rows: readonly object[]): ReadLine[] =>
  rows.map((fields, index) => ({ line: index + 1, raw: JSON.stringify(fields), fields: fields as ReadLine['fields'] }));

export const textLines = (text: string): ReadLine[] =>
  readLinesOf(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as object),
  );

/** The stored rows by key, or name. */
export const storedOf = (rows: readonly SourceRow[]) =>
  new Map(
    rows.flatMap((each) =>
      'row' in each ? [[each.row.type === 'FOLK' ? each.row.name : each.row.key, each.row]] : [],
    ),
  );

export const locationOf = (rows: readonly SourceRow[], key: string) => {
  const row = storedOf(rows).get(key);
  if (row?.type !== 'LOCATION') throw new Error(`There is no location ${key}`);
  return row;
};

/** Which word leads where, and with what. */
export const waysOf = (rows: readonly SourceRow[], key: string): string[] =>
  locationOf(rows, key).exits.map(
    ({ direction, aliases, needs, to }) =>
      `${[direction, ...aliases].join('/')} > ${to}${needs ? ` with ${needs}` : ''}`,
  );

export const itemOf = (rows: readonly SourceRow[], key: string) => {
  const row = storedOf(rows).get(key);
  if (row?.type !== 'ITEM') throw new Error(`There is no item ${key}`);
  return row;
};

export const refusalsOf = (rows: readonly SourceRow[]) =>
  rows.flatMap((each) => ('reason' in each ? [[each.line, each.reason, each.field]] : []));
