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
import { safeHtml } from './safe-html.js';

/** The longest text that is rendered. */
export const MARKDOWN_LENGTH_MAX = 200_000;
/** Pictures that a text shows; further ones are left out. */
export const MARKDOWN_PICTURES_MAX = 500;
const NESTING_MAX = 20;
/** Prose of 200,000 characters has 30,000. */
const PARTS_MAX = 60_000;
/** Emphasis within emphasis is not bounded by the parser. */
const DEPTH_MAX = 60;
/** Of all addresses and titles of links together: a reference can be used many times. */
const ADDRESSES_LENGTH_MAX = 400_000;
const SLUG_LENGTH_MAX = 64;

const ASSET = 'asset:';

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
}

/** What the rendering of one text has used of its bounds. */
interface Environment {
  readonly options: RenderingOptions;
  readonly marker: CodeMarker;
  readonly headings: Map<string, number>;
  pictures: number;
  addressesLeft: number;
  /** Inside a link there can be no other one. */
  isInLink: boolean;
}

const DEFAULT_REL = 'nofollow noopener noreferrer';
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const ALLOWED_SCHEME = /^(?:https?|mailto|asset):/i;

const parser = makeParser();

/** @throws LimitError the text is longer than MARKDOWN_LENGTH_MAX */
export function renderMarkdown(text: string, options: RenderingOptions = {}): string {
  const tokens = parseMarkdown(text);
  if (isExcessive(tokens)) return `<pre>${escapeText(text)}</pre>\n`;
  const environment: Environment = {
    options,
    marker: new CodeMarker(),
    headings: new Map(),
    pictures: 0,
    addressesLeft: ADDRESSES_LENGTH_MAX,
    isInLink: false,
  };
  nameHeadings(tokens, environment.headings);
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
export function picturesIn(text: string): string[] {
  const images = parseMarkdown(text).flatMap(({ children }) => (children ?? []).filter(({ type }) => type === 'image'));
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
  markdown.validateLink = (address) => !SCHEME.test(address.trim()) || ALLOWED_SCHEME.test(address.trim());
  const { rules } = markdown.renderer;
  rules.link_open = (tokens, index, _options, env, self) => {
    const environment = environmentOf(env);
    environment.isInLink = true;
    return self.renderToken(tokens, index, openLink(tokens[index] as Token, environment));
  };
  rules.link_close = (_tokens, _index, _options, env) => {
    environmentOf(env).isInLink = false;
    return '</a>';
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

  function openLink(token: Token, environment: Environment) {
    const [address, title] = [attributeOf(token, 'href'), attributeOf(token, 'title')];
    environment.addressesLeft -= address.length + title.length;
    if (environment.addressesLeft < 0 || address.startsWith(ASSET)) token.attrs = [];
    else if (SCHEME.test(address)) token.attrSet('rel', environment.options.rel ?? DEFAULT_REL);
    return markdown.options;
  }
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

function renderForeignImage(address: string, alt: string, environment: Environment): string {
  environment.addressesLeft -= 2 * address.length;
  if (environment.isInLink || environment.addressesLeft < 0) return escapeText(alt);
  const rel = environment.options.rel ?? DEFAULT_REL;
  return `<a ${attributesOf({ href: address, ...(SCHEME.test(address) && { rel }) })}>${escapeText(alt || address)}</a>`;
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

/** Each heading gets an id from its text, to link to. */
function nameHeadings(tokens: readonly Token[], names: Map<string, number>): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    const slug = slugOf(text);
    const count = (names.get(slug) ?? 0) + 1;
    names.set(slug, count);
    token.attrSet('id', `section-${count === 1 ? slug : `${slug}-${count}`}`);
  }
}

const slugOf = (text: string): string =>
  text
    .slice(0, 4 * SLUG_LENGTH_MAX)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-|-$/g, '') || 'part';
