/**
 * Reads RSS 2.0, RSS 1.0 and Atom as a stream. Nothing is fetched, no entities are expanded but those of XML, and everything that a feed
 * may repeat is bounded.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { WorkFailure } from '../../work.js';
import type { FeedItem } from './feed-item.js';

export interface ParsedItem {
  /** The line on which it starts. */
  readonly line: number;
  readonly item: FeedItem;
  /** Its texts are longer than ITEM_LENGTH_MAX: the rest is missing. */
  readonly isTooLong: boolean;
}

const ITEM_LENGTH_MAX = 2_000_000;
const TAGS_READ_MAX = 200;
const DEPTH_MAX = 200;
/** Of a text, a comment, a tag or anything else that the parser collects before it reports it. */
const PIECE_LENGTH_MAX = 4 * 1024 * 1024;
const SLICE_LENGTH = 64 * 1024;
const ROOTS = ['rss', 'feed', 'rdf:RDF'];

type TextField = Exclude<keyof FeedItem, 'tags'>;

/** The elements of an entry. The first one that has text counts, if two stand for the same field. */
const FIELDS: Readonly<Record<string, TextField>> = {
  title: 'title',
  link: 'link',
  guid: 'id',
  id: 'id',
  pubDate: 'date',
  published: 'date',
  'dc:date': 'date',
  'dc:creator': 'author',
  author: 'author',
  'content:encoded': 'content',
  content: 'content',
  description: 'summary',
  summary: 'summary',
};

const newItem = (): FeedItem => ({
  title: '',
  link: '',
  id: '',
  date: '',
  author: '',
  tags: [],
  content: '',
  summary: '',
});

export class FeedParser {
  readonly #parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false });
  /** The names of the open elements. */
  readonly #open: string[] = [];
  readonly #parsed: ParsedItem[] = [];
  #piece = 0;
  #entry: { readonly depth: number; readonly line: number; readonly item: FeedItem; length: number } | null = null;
  /** The element of the entry that is being read. */
  #field: { readonly name: string; readonly isMarkup: boolean; text: string } | null = null;

  constructor() {
    this.#parser.on('error', ({ message }) => {
      throw new WorkFailure(`The feed is not well-formed: ${message}`);
    });
    this.#parser.on('opentag', (tag) => this.#onOpen(tag));
    this.#parser.on('closetag', ({ name }) => this.#onClose(name));
    this.#parser.on('text', (text) => this.#onText(text));
    this.#parser.on('cdata', (text) => this.#onText(text));
    this.#parser.on('comment', () => this.#onPiece());
    this.#parser.on('processinginstruction', () => this.#onPiece());
    this.#parser.on('doctype', () => this.#onPiece()); // what it declares is not used
  }

  /** @returns the entries that end in this part of the feed @throws WorkFailure `entries` has those before the damage */
  write(text: string): ParsedItem[] {
    for (let from = 0; from < text.length; from += SLICE_LENGTH) {
      const slice = text.slice(from, from + SLICE_LENGTH);
      this.#piece += slice.length;
      this.#parser.write(slice);
      if (this.#piece > PIECE_LENGTH_MAX)
        throw new WorkFailure(
          `The feed has a piece of more than ${PIECE_LENGTH_MAX} characters at line ${this.#parser.line}`,
        );
    }
    return this.entries();
  }

  /** Those that have ended since they were last asked for. */
  entries(): ParsedItem[] {
    return this.#parsed.splice(0);
  }

  /** @throws WorkFailure the feed ends in the middle */
  end(): void {
    this.#parser.close();
  }

  #onPiece(): void {
    this.#piece = 0;
  }

  #onOpen({ name, attributes }: SaxesTagPlain): void {
    this.#piece = 0;
    if (this.#open.length === 0 && !ROOTS.includes(name))
      throw new WorkFailure('The file is no feed: neither RSS nor Atom');
    this.#open.push(name);
    const depth = this.#open.length;
    if (depth > DEPTH_MAX) throw new WorkFailure(`The feed has elements that are nested deeper than ${DEPTH_MAX}`);
    if (!this.#entry) {
      if (name === 'item' || name === 'entry')
        this.#entry = { depth, line: this.#parser.line, item: newItem(), length: 0 };
      return;
    }
    if (depth === this.#entry.depth + 1) this.#beginField(name, attributes);
    else if (this.#field?.isMarkup) this.#add(`<${name}${attributesOf(attributes)}>`);
  }

  #beginField(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#field = { name, isMarkup: attributes.type === 'xhtml', text: '' };
    const { item } = this.#entry ?? {};
    if (!item) return;
    const isAlternate = (attributes.rel ?? 'alternate') === 'alternate';
    if (name === 'link' && attributes.href && isAlternate && item.link === '') item.link = attributes.href;
    if (name === 'category' && attributes.term && item.tags.length < TAGS_READ_MAX) item.tags.push(attributes.term);
  }

  #onText(text: string): void {
    this.#piece = 0;
    const field = this.#field;
    if (!field) return;
    // Atom's author has other elements besides the name.
    const isBeside = field.name === 'author' && ['email', 'uri'].includes(this.#open.at(-1) ?? '');
    if (!isBeside) this.#add(field.isMarkup ? escaped(text) : text);
  }

  #add(text: string): void {
    if (!this.#entry || !this.#field) return;
    this.#entry.length += text.length;
    if (this.#entry.length <= ITEM_LENGTH_MAX) this.#field.text += text;
  }

  #onClose(name: string): void {
    this.#piece = 0;
    const depth = this.#open.length;
    this.#open.pop();
    const entry = this.#entry;
    if (!entry) return;
    if (depth === entry.depth + 1) this.#endField(entry.item);
    else if (depth === entry.depth) {
      this.#parsed.push({ line: entry.line, item: entry.item, isTooLong: entry.length > ITEM_LENGTH_MAX });
      this.#entry = null;
    } else if (this.#field?.isMarkup) this.#add(`</${name}>`);
  }

  #endField(item: FeedItem): void {
    const { name, text } = this.#field ?? { name: '', text: '' };
    this.#field = null;
    if (name === 'category' && text.trim() !== '' && item.tags.length < TAGS_READ_MAX) item.tags.push(text);
    const field = FIELDS[name];
    if (field && item[field] === '') item[field] = field === 'link' || field === 'id' ? text.trim() : text;
    if (name === 'updated' && item.date === '') item.date = text;
  }
}

const attributesOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
