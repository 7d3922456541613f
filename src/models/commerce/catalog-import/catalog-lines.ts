/** Splits a catalog file into lines. Buffers at most one line of the maximum length. */
const LINE_FEED = 0x0a;

/** Twice the size of the longest product that `saveProducts` accepts. */
export const LINE_BYTES_MAX = 2 * 1024 * 1024;

/** @returns lines without line feeds. Lines that are too long are cut to LINE_BYTES_MAX + 1 bytes */
export async function* cutLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer): void => {
    const kept = part.subarray(0, LINE_BYTES_MAX + 1 - length);
    if (kept.length > 0) parts.push(kept);
    length += kept.length;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end));
      yield Buffer.concat(parts);
      [parts, length, start] = [[], 0, end + 1];
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield Buffer.concat(parts); // a last line without a line feed
}
