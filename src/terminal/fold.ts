/** Lines meant for people have at most 80 columns. */

export const WIDTH = 80;
/** Stands for a blank at which no line is broken. A private-use character of Unicode, which no message contains. */
const KEPT_BLANK = '\ue000';

/** Breaks longer lines between words and keeps the indent. A longer word, such as a URL or a path, stays whole. */
export function fold(text: string): string {
  return text.split('\n').map(foldLine).join('\n').replaceAll(KEPT_BLANK, ' ');
}

/** Keeps a path from being broken at its blanks. */
export const unbroken = (path: string): string => path.replaceAll(' ', KEPT_BLANK);

function foldLine(line: string): string {
  if (line.length <= WIDTH) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = '';
  for (const word of line.slice(indent.length).split(' ')) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (longer.length <= WIDTH || current === '') {
      current = longer;
    } else {
      lines.push(current.trimEnd());
      current = word === '' ? '' : indent + word;
    }
  }
  return [...lines, current.trimEnd()].join('\n');
}
