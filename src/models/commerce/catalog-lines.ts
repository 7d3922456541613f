/** Cuts a catalog file into lines. Holds one line, and never more of it than a line may have. */
const LINE_FEED = 0x0a;

/** The longest product that `saveProducts` takes has half of it. */
export const LINE_BYTES_MAX = 2 * 1024 * 1024;

/** @returns lines without their line feeds; of one that is too long the first LINE_BYTES_MAX + 1 bytes */
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
  if (length > 0) yield Buffer.concat(parts); // no line feed ends the last one
}
