/** Lines, sources and checks for the tests of the request log. */
import { Readable } from 'node:stream';
import type { LogSource } from '../../../src/models/analytics/log-import/log-source.js';

/** A line of the combined format. */
export function logLine({
  host = '192.0.2.7',
  time = '17/May/2015:10:05:03 +0000',
  method = 'GET',
  path = '/',
  status = 200,
  agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
}): string {
  return `${host} - - [${time}] "${method} ${path} HTTP/1.1" ${status} 2326 "-" "${agent}"`;
}

/** A file in memory. @param content its bytes, or its lines, each with a line feed */
export function memorySource(
  content: Buffer | readonly string[],
  { name = 'access.log', chunkBytes = 65_536 } = {},
): LogSource {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content.map((line) => `${line}\n`).join(''));
  function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return { name, size: bytes.length, open: () => Readable.from(chunks()) };
}
