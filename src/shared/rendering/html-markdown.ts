/**
 * HTML of feeds as Markdown. A library removes what may run and repairs the rest; here, the few elements that Markdown has are written in
 * its form, and the text of all others is kept. Nothing is fetched: a picture stays a reference to where it is.
 */
import sanitizeHtml from 'sanitize-html';
import { SaxesParser } from 'saxes';

type Child = Element | string;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Child[];
}

const BLOCKS = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'li',
  'hr',
  'div',
  'figure',
  'figcaption',
];
const TABLES = ['table', 'tr', 'td', 'th'];
const INLINE = ['a', 'b', 'strong', 'i', 'em', 'code', 'del', 's', 'br', 'img'];
/** Blocks that Markdown does not have: what is in them is no part of the line before. */
const OTHER_BLOCKS = [
  ...['address', 'article', 'aside', 'caption', 'center', 'dd', 'details', 'dl', 'dt', 'fieldset', 'footer', 'form'],
  ...['header', 'hgroup', 'legend', 'main', 'nav', 'section', 'summary', 'tbody', 'tfoot', 'thead'],
];
const NESTING_MAX = 100;
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...BLOCKS, ...TABLES, ...INLINE],
  allowedAttributes: { a: ['href'], img: ['src', 'alt'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: Object.fromEntries(OTHER_BLOCKS.map((tag) => [tag, 'div'])),
  nestingLimit: NESTING_MAX,
};

const OPEN_MAX = 5000;
const TAG = /<(\/?)([a-z][^\s/>]*)[^>]*>?/gi;
const VOID = ['br', 'hr', 'img', 'input', 'source', 'wbr', 'area', 'col', 'embed', 'link', 'meta', 'param', 'track'];

/**
 * Leaves out elements below so many that are open. The library's parser takes time with the square of that number, whatever its own limit
 * is. This never counts fewer than the parser: a tag that closes nothing does not count.
 */
function withoutDepth(html: string): string {
  const open = new Map<string, number>();
  let total = 0;
  return html.replace(TAG, (tag, slash: string, written: string) => {
    const name = written.toLowerCase();
    if (VOID.includes(name)) return tag;
    const count = open.get(name) ?? 0;
    if (slash && count === 0) return tag;
    if (!slash && total >= OPEN_MAX) return '';
    const step = slash ? -1 : 1;
    open.set(name, count + step);
    total += step;
    return tag;
  });
}

const parsed = (html: string): Child[] => parse(sanitizeHtml(withoutDepth(html), OPTIONS));

/** @returns lines that end with `\n`; empty if there is no text */
export function markdownOf(html: string): string {
  const text = blocksOf(parsed(html)).join('\n\n');
  return text === '' ? '' : `${text}\n`;
}

/** The text of HTML on one line, for titles and excerpts. */
export const plainTextOf = (html: string): string => textOf(parsed(html)).replace(/\s+/g, ' ').trim();

/** @param html as sanitize-html writes it: every element is closed, every attribute is quoted */
function parse(html: string): Child[] {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  const parser = new SaxesParser({ fragment: true, position: false });
  const innermost = () => open.at(-1) ?? root;
  parser.on('error', () => undefined); // of a character that XML does not have: it is kept
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, children: [] };
    innermost().children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    if (open.length > 1) open.pop();
  });
  parser.on('text', (text) => void innermost().children.push(text));
  parser.write(html).close();
  return root.children;
}

/** The words of a block, and of a line, are none of the words before or after it. */
const textOf = (children: readonly Child[]): string => joined(children).replace(/\0+/g, '\n');

const joined = (children: readonly Child[]): string =>
  children
    .map((child) => {
      if (typeof child === 'string') return child;
      if (child.name === 'br') return '\n';
      return isBlock(child) ? `\0${joined(child.children)}\0` : joined(child.children);
    })
    .join('');

const isBlock = (child: Child): boolean =>
  typeof child !== 'string' && (BLOCKS.includes(child.name) || TABLES.includes(child.name));

/** Each block, without the empty lines between them. What is between blocks becomes paragraphs. */
function blocksOf(children: readonly Child[]): string[] {
  const blocks: string[] = [];
  let run: Child[] = [];
  const endRun = () => {
    const text = paragraph(inlineOf(run));
    if (text !== '') blocks.push(text);
    run = [];
  };
  for (const child of children) {
    if (typeof child === 'string' || !isBlock(child)) run.push(child);
    else {
      endRun();
      blocks.push(...blockOf(child).filter((block) => block !== ''));
    }
  }
  endRun();
  return blocks;
}

function blockOf(element: Element): string[] {
  const { name, children } = element;
  const [, level] = /^h([1-6])$/.exec(name) ?? [];
  if (level) return [heading(Number(level), inlineOf(children))];
  if (name === 'hr') return ['---'];
  if (name === 'pre') return [fenced(textOf(children))];
  if (name === 'blockquote') return [indented(blocksOf(children).join('\n\n'), '> ', '> ')];
  if (name === 'ul' || name === 'ol') return [listOf(children, name === 'ol')];
  if (name === 'tr') return [paragraph(rowOf(children))];
  return blocksOf(children);
}

function heading(level: number, text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : `${'#'.repeat(level)} ${line}`;
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/^\n|\n$/g, '')}\n${fence}`;
}

function listOf(children: readonly Child[], isOrdered: boolean): string {
  const items = children.filter((child): child is Element => typeof child !== 'string' && child.name === 'li');
  return items
    .map((item, index) => {
      const marker = isOrdered ? `${index + 1}. ` : '- ';
      return indented(blocksOf(item.children).join('\n\n'), marker, ' '.repeat(marker.length));
    })
    .join('\n');
}

const rowOf = (cells: readonly Child[]): string =>
  cells
    .filter((cell): cell is Element => typeof cell !== 'string')
    .map((cell) => inlineOf(cell.children).replace(/\s+/g, ' ').trim())
    .join(' · ');

const indented = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd())
    .join('\n');

function inlineOf(children: readonly Child[]): string {
  return children.map((child) => (typeof child === 'string' ? escaped(child) : elementOf(child))).join('');
}

function elementOf({ name, attributes, children }: Element): string {
  const inner = inlineOf(children);
  if (name === 'br') return '\\\n';
  if (name === 'img') return attributes.src ? `![${escaped(attributes.alt ?? '')}](${addressOf(attributes.src)})` : '';
  if (name === 'code') return codeOf(textOf(children));
  if (inner.trim() === '') return inner;
  if (name === 'a' && attributes.href) return `[${inner.trim()}](${addressOf(attributes.href)})`;
  const mark = MARKS[name];
  return mark ? surrounded(inner, mark) : inner;
}

const MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', del: '~~', s: '~~' };

/** A mark must touch the text. */
function surrounded(text: string, mark: string): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return `${before}${mark}${inner}${mark}${after}`;
}

function codeOf(text: string): string {
  const ticks = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([found]) => found.length)) + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return text.trim() === '' ? text : `${ticks}${space}${text.replace(/\n/g, ' ')}${space}${ticks}`;
}

/** Spaces and parentheses would end it. */
const addressOf = (address: string): string =>
  address.trim().replace(/[\s()<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** What would be a mark of Markdown. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]<~|]/g, '\\$&').replace(/&(?=#?\w+;)/g, '\\&');

/** One line per line break that was meant, without marks at their starts that were meant as text. */
function paragraph(text: string): string {
  return text
    .replace(/[ \t\r\n]*\\\n[ \t\r\n]*/g, '\0')
    .replace(/[ \t\r\n]+/g, ' ')
    .trim()
    .replace(/^\0+|\0+$/g, '')
    .split('\0')
    .map((line) => line.replace(/^([#>+=-])/, '\\$1').replace(/^(\d+)([.)])(?=\s)/, '$1\\$2'))
    .join('\\\n');
}
