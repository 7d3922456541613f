/** Lines meant for people have at most 80 columns, or those of a narrower terminal. */

export const WIDTH = 80;
/** Stands for a blank at which no line is broken. A private-use character of Unicode, which no message contains. */
const KEPT_BLANK = '\ue000';

/**
 * Breaks longer lines between words and keeps the indent. A longer word, such as a URL or a path, stays whole.
 * @param columns of the terminal, if it is one. Some say 0
 */
export function fold(text: string, columns?: number): string {
  const width = Math.min(WIDTH, columns || WIDTH);
  return text
    .split('\n')
    .map((line) => foldLine(line, width))
    .join('\n')
    .replaceAll(KEPT_BLANK, ' ');
}

/** Keeps a path from being broken at its blanks. */
export const unbroken = (path: string): string => path.replaceAll(' ', KEPT_BLANK);

function foldLine(line: string, width: number): string {
  if (line.length <= width) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = '';
  for (const word of line.slice(indent.length).split(' ')) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (longer.length <= width || current === '') {
      current = longer;
    } else {
      lines.push(current.trimEnd());
      current = word === '' ? '' : indent + word;
    }
  }
  return [...lines, current.trimEnd()].join('\n');
}
