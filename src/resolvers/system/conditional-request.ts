/** Conditional requests and ranges, as RFC 9110 has them. */
import type { IncomingHttpHeaders } from 'node:http';

/** @param header `If-Match` or `If-None-Match` @param comparison weak: also an ETag that the client marked as weak */
export function etagMatches(header: string, etag: string, comparison: 'strong' | 'weak' = 'strong'): boolean {
  if (header.trim() === '*') return true;
  const given = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return given.some((each) => (comparison === 'weak' ? each.replace(/^W\//, '') : each) === etag);
}

/** Half open. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The single range that a request asks for. Null, which means everything: without the header, with one that is malformed or asks for
 * several ranges, or if the client has part of other bytes (`If-Range`).
 */
export function rangeOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  etag: string,
  length: number,
): ByteRange | 'unsatisfiable' | null {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,16})-(\d{0,16})\s*$/i.exec(range) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return suffixOf(Number(last), length);
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  if (from >= length) return 'unsatisfiable';
  return { from, to: last === '' ? length : Math.min(Number(last) + 1, length) };
}

const suffixOf = (bytes: number, length: number): ByteRange | 'unsatisfiable' =>
  bytes === 0 || length === 0 ? 'unsatisfiable' : { from: Math.max(0, length - bytes), to: length };
