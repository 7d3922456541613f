/** What a terminal shows after what was written to it: only the sequences that Node.js writes for a line that is edited. */

const ESCAPED = /^\p{Cc}\[(\d*)([A-Z])/u;

/** @returns the rows, without blanks at their ends. A real terminal has scrolled the first ones away */
export function drawnOn(columns: number, written: string): string[] {
  const rows: string[][] = [[]];
  let [row, column] = [0, 0];
  const rowAt = (index: number): string[] => {
    while (rows.length <= index) rows.push([]);
    return rows[index] ?? [];
  };
  for (let rest = written; rest !== ''; ) {
    const [sequence = '', count, act] = ESCAPED.exec(rest) ?? [];
    const [character = ''] = rest;
    rest = rest.slice((sequence || character).length);
    if (sequence !== '') {
      const steps = Number(count || 1);
      if (act === 'A') row = Math.max(0, row - steps);
      else if (act === 'B') row += steps;
      else if (act === 'C') column = Math.min(columns - 1, column + steps);
      else if (act === 'D') column = Math.max(0, column - steps);
      else if (act === 'G') column = steps - 1;
      else if (act === 'K' || act === 'J') {
        rowAt(row).length = Math.min(rowAt(row).length, column);
        if (act === 'J') rows.length = Math.min(rows.length, row + 1);
      } else throw new Error(`No such sequence: ${act}`);
    } else if (character === '\r') column = 0;
    else if (character === '\n') row += 1;
    else {
      if (column === columns) [row, column] = [row + 1, 0];
      const cells = rowAt(row);
      while (cells.length < column) cells.push(' ');
      cells[column] = character;
      column += 1;
    }
  }
  return rows.map((cells) => cells.join('').trimEnd());
}
