/**
 * Markdown to HTML that is safe to insert: CommonMark with tables and strikethrough, without HTML of the author's. Pictures are those of
 * this product, as `![alt](asset:<id>)`; a picture from elsewhere becomes a link, because to show it would be a request to its server.
 *
 * Also for hostile texts, the time and the result grow in proportion to the length: what a short text could multiply is bounded
 * (addresses of reference links, pictures, marked code), and a text of far more parts than any real one is shown as it was written
 * (`docs/decisions/assets.md` has the figures).
 */
import MarkdownItParser, { type Env, type MarkdownIt, type MarkdownItOptions, type Token } from 'markdown-it';
import { LimitError } from '../errors.js';
import { CodeMarker } from './highlighting.js';
import { ASSET, isLinkable, SCHEME, targetOf } from './link.js';
import { boundNesting, NESTING_MAX } from './nesting.js';
import { safeHtml } from './safe-html.js';

/** The longest text that is rendered. */
export const MARKDOWN_LENGTH_MAX = 200_000;
/** Pictures that a text shows; further ones are left out. */
export const MARKDOWN_PICTURES_MAX = 500;
/** Prose of 200,000 characters has 30,000. */
const PARTS_MAX = 60_000;
/** Emphasis within emphasis is not bounded by the parser. */
const DEPTH_MAX = 60;
/** Of all addresses and titles of links together: a reference can be used many times. */
const ADDRESSES_LENGTH_MAX = 400_000;
const SLUG_LENGTH_MAX = 64;

/** Where a picture is served. */
export interface ShownPicture {
  readonly src: string;
  /** Scaled versions, as in the attribute of HTML. */
  readonly srcset?: string;
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
}

export interface RenderingOptions {
  /** @param id as written after `asset:` @returns null for a picture that is left out */
  readonly pictureOf?: (id: string) => ShownPicture | null;
  /** How wide pictures are shown, for the browser's choice among the scaled ones, as in the attribute of HTML. Default: at their width. */
  readonly sizes?: string;
  /** The relation of links to other sites. */
  readonly rel?: string;
  /** The path of the page of the text: relative links lead from there, wherever it is shown. Default: from where it is shown. */
  readonly page?: string;
}

/** What the rendering of one text has used of its bounds. */
interface Environment {
  readonly options: RenderingOptions;
  readonly marker: CodeMarker;
  /** The ids of its headings. */
  readonly sections: ReadonlySet<string>;
  pictures: number;
  addressesLeft: number;
  /** Inside a link that is shown there can be no other one. */
  isInLink: boolean;
}

const DEFAULT_REL = 'nofollow noopener noreferrer';

const parser = makeParser();

/** @throws LimitError the text is longer than MARKDOWN_LENGTH_MAX */
export function renderMarkdown(text: string, options: RenderingOptions = {}): string {
  const tokens = parseMarkdown(text);
  if (isExcessive(tokens)) return `<pre>${escapeText(text)}</pre>\n`;
  const environment: Environment = {
    options,
    marker: new CodeMarker(),
    sections: nameHeadings(tokens),
    pictures: 0,
    addressesLeft: ADDRESSES_LENGTH_MAX,
    isInLink: false,
  };
  return safeHtml(parser.renderer.render(tokens, parser.options, { environment }));
}

function isExcessive(tokens: readonly Token[]): boolean {
  let parts = tokens.length;
  for (const { children } of tokens) {
    parts += children?.length ?? 0;
    if (parts > PARTS_MAX || children?.some(({ level }) => level > DEPTH_MAX)) return true;
  }
  return false;
}

/** @throws LimitError */
export function parseMarkdown(text: string): Token[] {
  if (text.length > MARKDOWN_LENGTH_MAX)
    throw new LimitError(`The text is longer than ${MARKDOWN_LENGTH_MAX} characters`, MARKDOWN_LENGTH_MAX);
  return parser.parse(text, {});
}

/** The ids of the pictures in a text, each once, in their order. At most MARKDOWN_PICTURES_MAX. @throws LimitError */
export const picturesIn = (text: string): string[] => (text.includes('![') ? picturesAmong(parseMarkdown(text)) : []); // most texts have none, and reading one takes milliseconds

export function picturesAmong(tokens: readonly Token[]): string[] {
  const images = tokens.flatMap(({ children }) => (children ?? []).filter(({ type }) => type === 'image'));
  const ids = images.map(assetOf).filter((id) => id !== null);
  return [...new Set(ids)].slice(0, MARKDOWN_PICTURES_MAX);
}

function assetOf(image: Token): string | null {
  const source = attributeOf(image, 'src');
  return source.startsWith(ASSET) ? source.slice(ASSET.length) : null;
}

function makeParser(): MarkdownIt {
  const markdown = new MarkdownItParser({ html: false, linkify: true, maxNesting: NESTING_MAX });
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false }); // only what has a scheme
  markdown.linkify.add('//', null);
  markdown.validateLink = isLinkable;
  boundNesting(markdown);
  const { rules } = markdown.renderer;
  rules.link_open = (tokens, index, options, env, self) => {
    const environment = environmentOf(env);
    const token = tokens[index] as Token;
    environment.isInLink = leadOn(token, environment);
    return environment.isInLink ? self.renderToken(tokens, index, options) : '';
  };
  rules.link_close = (_tokens, _index, _options, env) => {
    const environment = environmentOf(env);
    const { isInLink } = environment;
    environment.isInLink = false;
    return isInLink ? '</a>' : '';
  };
  rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index] as Token;
    return renderImage(token, self.renderInlineAsText(token.children ?? [], options, env), environmentOf(env));
  };
  rules.fence = (tokens, index, _options, env) => renderCode(tokens[index] as Token, environmentOf(env));
  for (const name of ['th_open', 'td_open'])
    rules[name] = (tokens, index, options, _env, self) =>
      self.renderToken(tokens, index, alignByClass(tokens[index] as Token, options));
  return markdown;
}

/** Gives a link its address. @returns false if only its text is shown */
function leadOn(token: Token, environment: Environment): boolean {
  const [written, title] = [attributeOf(token, 'href'), attributeOf(token, 'title')];
  const address = addressFor(written, title, environment);
  if (address === null) return false;
  token.attrSet('href', address);
  if (SCHEME.test(address)) token.attrSet('rel', relOf(environment));
  return true;
}

const relOf = ({ options }: Environment): string => options.rel ?? DEFAULT_REL;

/** @returns null for what leads nowhere, and beyond the length of all addresses */
function addressFor(written: string, title: string, environment: Environment): string | null {
  if (environment.addressesLeft < 0) return null;
  const { options, sections } = environment;
  const target = targetOf(written, { page: options.page, sectionNamed: (name) => sectionNamed(name, sections) });
  environment.addressesLeft -= Math.max(written.length, target?.length ?? 0) + title.length;
  return environment.addressesLeft < 0 ? null : target;
}

function sectionNamed(name: string, sections: ReadonlySet<string>): string | null {
  const id = `section-${slugOf(name)}`;
  return sections.has(id) ? id : null;
}

const attributeOf = (token: Token, name: string): string => String(token.attrGet(name) ?? '');

const environmentOf = (env: Env | undefined) => env?.environment as Environment;

/** The style attribute that the parser sets would need a weaker Content Security Policy. */
function alignByClass(token: Token, options: Required<MarkdownItOptions>): Required<MarkdownItOptions> {
  const [, alignment] = /^text-align:(left|center|right)$/.exec(attributeOf(token, 'style')) ?? [];
  token.attrs = alignment ? [['class', `align-${alignment}`]] : [];
  return options;
}

function renderImage(token: Token, alt: string, environment: Environment): string {
  const id = assetOf(token);
  if (id === null) return renderForeignImage(attributeOf(token, 'src'), alt, environment);
  environment.pictures += 1;
  const shown = environment.pictures <= MARKDOWN_PICTURES_MAX && environment.options.pictureOf?.(id);
  if (!shown) return '';
  const title = attributeOf(token, 'title').slice(0, 1000);
  const attributes = {
    src: shown.src,
    ...(shown.srcset && {
      srcset: shown.srcset,
      sizes: environment.options.sizes ?? `(max-width: ${shown.width}px) 100vw, ${shown.width}px`,
    }),
    alt,
    ...(title && { title }),
    width: String(shown.width),
    height: String(shown.height),
    loading: 'lazy',
  };
  return `<img ${attributesOf(attributes)}>`;
}

function renderForeignImage(source: string, alt: string, environment: Environment): string {
  const address = environment.isInLink ? null : addressFor(source, source, environment); // the text may be the address, too
  if (address === null) return escapeText(alt);
  const attributes = { href: address, ...(SCHEME.test(address) && { rel: relOf(environment) }) };
  return `<a ${attributesOf(attributes)}>${escapeText(alt || source)}</a>`;
}

const attributesOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeText(value)}"`)
    .join(' ');

const escapeText = (text: string): string => parser.utils.escapeHtml(text);

function renderCode({ content, info }: Token, { marker }: Environment): string {
  const [language = ''] = info.trim().split(/\s+/, 1);
  const marked = marker.mark(content, language.toLowerCase());
  if (!marked) return `<pre><code>${escapeText(content)}</code></pre>\n`;
  return `<pre><code class="hljs language-${escapeText(language.toLowerCase())}">${marked}</code></pre>\n`;
}

/** Each heading gets an id from its text, to link to. @returns the ids */
function nameHeadings(tokens: readonly Token[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const ids = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const slug = slugOf(textOf(tokens[index + 1]?.children ?? []));
    const count = (counts.get(slug) ?? 0) + 1;
    counts.set(slug, count);
    const id = `section-${count === 1 ? slug : `${slug}-${count}`}`;
    ids.add(id);
    token.attrSet('id', id);
  }
  return ids;
}

const BREAKS: readonly string[] = ['softbreak', 'hardbreak'];

/** The text of a line without marks. Pictures are their alternative texts. */
export const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content }) => (BREAKS.includes(type) ? ' ' : content))
    .join('')
    .trim();

const slugOf = (text: string): string =>
  text
    .slice(0, 4 * SLUG_LENGTH_MAX)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-|-$/g, '') || 'part';
