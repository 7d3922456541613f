/** The rows of a feed: its entries. An import that continues reads the feed from its beginning, because only then it is known what is open. */
import type { RowPosition } from '../../system/work/rows/row-error.js';
import { readParts } from '../../system/work/work-file.js';
import type { HeldWork } from '../../work.js';
import { rowOfItem } from './feed-item.js';
import { FeedParser, type ParsedItem } from './feed-parser.js';
import { type ImportRow, RowError } from './import-row.js';
import type { ReadRow } from './read-row.js';

const SNIFFED_BYTES = 1024;

/** @throws WorkFailure it is no feed, or not well-formed */
export async function* readFeedRows(held: HeldWork, from: RowPosition): AsyncGenerator<ReadRow, undefined> {
  const parser = new FeedParser();
  let rows = 0;
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const part of readParts(held.db, held.work._id)) {
    held.signal.throwIfAborted();
    decoder ??= new TextDecoder(encodingOf(part));
    for (const parsed of entriesIn(parser, decoder.decode(part, { stream: true }))) {
      rows += 1;
      if (rows > from.rows) yield toReadRow(parsed, rows);
    }
  }
  parser.write(decoder?.decode() ?? ''); // what is left of a character: entries have ended before
  parser.end();
}

/** Those before the damage, too. @throws WorkFailure */
function* entriesIn(parser: FeedParser, part: string): Generator<ParsedItem, undefined> {
  try {
    yield* parser.write(part);
  } catch (error) {
    yield* parser.entries();
    throw error;
  }
}

/** As the feed declares it. */
function encodingOf(start: Buffer): string {
  const [, label] = /^[^>]*?\bencoding\s*=\s*["']([\w-]+)["']/.exec(start.toString('latin1', 0, SNIFFED_BYTES)) ?? [];
  try {
    return new TextDecoder(label ?? 'utf-8').encoding;
  } catch {
    return 'utf-8'; // unknown: what is not UTF-8 is replaced
  }
}

function toReadRow({ line, item, isTooLong }: ParsedItem, rows: number): ReadRow {
  const raw = [item.title, item.link || item.id].map((text) => text.trim()).join('\n');
  return {
    line,
    raw,
    row: isTooLong ? new RowError('TOO_LONG') : parsed(item),
    position: { rows, lines: line, bytes: 0 },
  };
}

function parsed(item: ParsedItem['item']): ImportRow | RowError {
  try {
    return rowOfItem(item);
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}
