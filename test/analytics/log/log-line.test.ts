import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLogLine, rejectReasons } from '../../../src/models/analytics/log/log-line.js';
import type { RequestFields } from '../../../src/models/analytics/log-growth/log-segment.js';

const rules = { latestMs: Date.UTC(2026, 0, 1) };
const parse = (line: string) => parseLogLine(line, rules);

/** The parsed fields, without absent ones. */
const present = (fields: unknown) =>
  Object.fromEntries(Object.entries(fields as object).filter(([, value]) => value !== undefined));

const time = new Date('2015-05-17T10:05:03Z');
const common = '192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET /a?b=1 HTTP/1.1" 200 2326';
const request = {
  host: '192.0.2.7',
  time,
  method: 'GET',
  path: '/a?b=1',
  page: '/a',
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 2326,
};

describe('a line of an access log', () => {
  it.each<[string, string, Partial<RequestFields>]>([
    ['the common format', common, request],
    [
      'the combined format',
      `${common} "http://example.org/from" "Mozilla/5.0 (X11)"`,
      { ...request, referrer: 'http://example.org/from', user_agent: 'Mozilla/5.0 (X11)' },
    ],
    ['missing referrer and agent', `${common} "-" "-"`, request],
    ['a carriage return', `${common}\r`, request],
    ['identd and user', common.replace('- -', 'ident frank'), { ...request, logname: 'ident', user: 'frank' }],
    ['a user with spaces', common.replace('- -', '- Ann Lee'), { ...request, user: 'Ann Lee' }],
    ['an empty user', common.replace('- -', '- ""'), request],
    ['no identd and no user', common.replace(' - -', ''), request],
    ['no identd', common.replace('- -', 'frank'), { ...request, user: 'frank' }],
    ['IPv6', common.replace('192.0.2.7', '2001:db8::1'), { ...request, host: '2001:db8::1' }],
    ['IPv6 in brackets', common.replace('192.0.2.7', '[::1]'), { ...request, host: '[::1]' }],
    ['a hostname', common.replace('192.0.2.7', 'proxy.example.org'), { ...request, host: 'proxy.example.org' }],
    ['a list of forwarded addresses', `10.0.0.2, 10.0.0.1, ${common}`, { ...request, host: '10.0.0.2' }],
    ['a list without spaces', `10.0.0.2,10.0.0.1 ${common.slice(10)}`, { ...request, host: '10.0.0.2' }],
    ['a list and the peer', `2001:db8::1, 10.0.0.1 ${common}`, { ...request, host: '2001:db8::1' }],
    ['a quoted list and the peer', `"10.0.0.2, 10.0.0.1" ${common}`, { ...request, host: '10.0.0.2' }],
    ['a leading virtual host', `www.example.org:443 ${common}`, request],
    [
      'a virtual host before a hostname',
      `www.example.org ${common.replace('192.0.2.7', 'client.example.net')}`,
      { ...request, host: 'client.example.net' },
    ],
    ['an offset east', common.replace('+0000', '+0330'), { ...request, time: new Date('2015-05-17T06:35:03Z') }],
    ['an offset west', common.replace('+0000', '-0800'), { ...request, time: new Date('2015-05-17T18:05:03Z') }],
    [
      'a virtual host, a list of forwarded addresses and the peer',
      `www.example.org 10.0.0.2, 10.0.0.1 ${common}`,
      { ...request, host: '10.0.0.2' },
    ],
    ['a virtual host and a list', `www.example.org:443 10.0.0.2, ${common}`, { ...request, host: '10.0.0.2' }],
    [
      'a virtual host and a quoted list',
      `www.example.org "10.0.0.2, 10.0.0.1" - - ${common.slice(14)}`,
      { ...request, host: '10.0.0.2' },
    ],
    ['a user in quotes', common.replace('- -', '- "Lee, Ann"'), { ...request, user: '"Lee, Ann"' }],
    ['an identd with a comma', common.replace('- -', 'a,b ann'), { ...request, logname: 'a,b', user: 'ann' }],
    ['a byte order mark', `\uFEFF${common}`, request],
    ['a byte order mark and quotes', `\uFEFF"${common}"`, request],
    [
      'a path consisting of a query string',
      common.replace('/a?b=1', '?b=1'),
      { ...request, path: '?b=1', page: undefined },
    ],
    [
      'a leap second',
      common.replace('17/May/2015:10:05:03', '30/Jun/2015:23:59:60'),
      { ...request, time: new Date('2015-07-01T00:00:00Z') },
    ],
    [
      'a leap second in another time zone',
      common.replace('17/May/2015:10:05:03 +0000', '31/Dec/2016:15:59:60 -0800'),
      { ...request, time: new Date('2017-01-01T00:00:00Z') },
    ],
    ['an unknown size', common.replace('2326', '-'), { ...request, bytes: undefined }],
    ['a size beyond 32 bits', common.replace('2326', '69192717000'), { ...request, bytes: 69_192_717_000 }],
    ['an additional quoted field', `${common} "-" "curl/8" "-"`, { ...request, user_agent: 'curl/8' }],
    ['an additional unquoted field', `${common} 0.003`, request],
    ['an extra pair of quotes', `"${common} "-" "curl/8""`, { ...request, user_agent: 'curl/8' }],
    ['an agent that is cut off', `${common} "-" "Mozilla/5.0 (comp`, { ...request, user_agent: 'Mozilla/5.0 (comp' }],
    ['a referrer that is cut off', `${common} "http://exa`, { ...request, referrer: 'http://exa' }],
    ['quotes in the path', common.replace('/a?b=1', '/\\"a\\"'), { ...request, path: '/\\"a\\"', page: '/\\"a\\"' }],
    ['a backslash before the last quote', `${common} "-" "a\\\\"`, { ...request, user_agent: 'a\\\\' }],
    ['unescaped quotes', `${common} "-" "say "hi", all"`, { ...request, user_agent: 'say "hi", all' }],
    ['bytes as \\xNN', `${common} "http://\\xe4\\xe5/" "-"`, { ...request, referrer: 'http://\\xe4\\xe5/' }],
    ['a path with spaces', common.replace('/a?b=1', '/a b?c d'), { ...request, path: '/a b?c d', page: '/a b' }],
    ['HTTP/0.9', common.replace(' HTTP/1.1', ''), { ...request, protocol: undefined }],
  ])('is read with %s', (_case, line, expected) => {
    expect(present(parse(line))).toEqual(present(expected));
  });

  it.each([
    ['-', '"-"'],
    ['empty', '""'],
    ['a single word', '"quit"'],
    ['a TLS handshake', '"\\x16\\x03\\x01 \\x02"'],
    ['in another protocol', '"t3 12.2.1"'],
  ])('keeps its host and status when its request is %s', (_case, quoted) => {
    const line = common.replace('"GET /a?b=1 HTTP/1.1"', quoted);
    expect(present(parse(line))).toEqual({ host: '192.0.2.7', time, status: 200, bytes: 2326 });
  });

  it.each([
    ['EMPTY', 'it is empty', ''],
    ['EMPTY', 'it contains only blanks', '  \r'],
    ['NO_TIME', 'it is not a log line', 'some text'],
    ['NO_TIME', 'it ends inside the time', common.slice(0, 30)],
    ['NO_TIME', 'the time has another format', common.replace('17/May/2015', '2015-05-17')],
    ['NO_SUCH_TIME', 'the date is 31 April', common.replace('17/May', '31/Apr')],
    ['NO_SUCH_TIME', 'the date is 29 February in a common year', common.replace('17/May/2015', '29/Feb/2015')],
    ['NO_SUCH_TIME', 'the month is unknown', common.replace('May', 'Mai')],
    ['NO_SUCH_TIME', 'the day is 0', common.replace('17/May', '00/May')],
    [
      'NO_SUCH_TIME',
      'the date is 31 April and the second is 60',
      common.replace('17/May/2015:10:05:03', '31/Apr/2015:23:59:60'),
    ],
    ['NO_SUCH_TIME', 'the second is 60 at a time without leap seconds', common.replace(':03 ', ':60 ')],
    ['NO_SUCH_TIME', 'the second is 60 on a day without a leap second', common.replace('10:05:03', '23:59:60')],
    ['TIME_TOO_EARLY', 'the year is 99', common.replace('2015', '0099')],
    ['NO_SUCH_TIME', 'the hour is 24', common.replace(':10:', ':24:')],
    ['NO_SUCH_TIME', 'the time zone does not exist', common.replace('+0000', '+2500')],
    ['TIME_TOO_EARLY', 'the year is 1969', common.replace('2015', '1969')],
    ['TIME_AHEAD', 'the time is in the future', common.replace('2015', '2026')],
    ['NO_HOST', 'it begins with the time', common.replace('192.0.2.7 - - ', '')],
    ['NO_HOST', 'the host is absent', common.replace('192.0.2.7', '-')],
    ['HOST_TOO_LONG', 'the host has 1025 characters', `${'h'.repeat(1025)} - - ${common.slice(14)}`],
    ['NO_REQUEST', 'the request is not in quotes', common.replace('"GET', 'GET')],
    ['NO_REQUEST', 'it ends after the time', common.slice(0, 43)],
    ['REQUEST_CUT_OFF', 'it ends inside the request', common.slice(0, 60)],
    ['PATH_TOO_LONG', 'the path has over 8192 bytes', common.replace('/a', `/${'a'.repeat(8192)}`)],
    ['BAD_STATUS', 'the status has a letter', common.replace(' 200', ' 2x0')],
    ['BAD_STATUS', 'the status is below 100', common.replace(' 200', ' 099')],
    ['BAD_STATUS', 'it ends after the request', common.replace(' 200 2326', '')],
    ['BAD_SIZE', 'it ends after the status', common.replace(' 2326', '')],
    ['BAD_SIZE', 'the size is negative', common.replace('2326', '-5')],
    ['BAD_SIZE', 'the size is over 2^53 - 1', common.replace('2326', '9007199254740992')],
  ])('is rejected as %s when %s', (reason, _case, line) => {
    expect(parse(line)).toBe(reason);
  });

  it('must have the requested format', () => {
    const combined = `${common} "-" "curl/8"`;
    const as = (format: 'COMMON' | 'COMBINED', line: string) => parseLogLine(line, { ...rules, format });
    expect(as('COMMON', combined)).toBe('NOT_COMMON');
    expect(as('COMBINED', common)).toBe('NOT_COMBINED');
    expect(present(as('COMMON', common))).toEqual(request);
    expect(present(as('COMBINED', combined))).toEqual({ ...request, user_agent: 'curl/8' });
  });

  it('never causes an exception, whatever it contains', () => {
    const pieces = fc.constantFrom(
      '"',
      '[',
      ']',
      '\\',
      ' ',
      ',',
      '-',
      '/',
      ':',
      'GET',
      '200',
      '[17/May/2015:10:05:03 +0000]',
    );
    const soup = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 40 })
      .map((parts) => parts.join(''));
    const damaged = fc
      .tuple(fc.nat(common.length), fc.nat(20), soup)
      .map(([at, length, put]) => common.slice(0, at) + put + common.slice(at + length));
    fc.assert(
      fc.property(fc.oneof(soup, damaged), (line) => {
        const found = parse(line);
        if (typeof found === 'string') return found in rejectReasons;
        return (
          found.time.getTime() <= rules.latestMs && found.host !== '' && found.status >= 100 && found.status <= 999
        );
      }),
      { numRuns: 5000 },
    );
  });

  it('returns the fields that it was written from', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._~%é-]{1,20}$/).filter((text) => !/^-+$/.test(text));
    const text = fc
      .stringMatching(/^[ -~é€]{1,60}$/)
      .map((raw) => raw.replace(/[\\"]/g, '\\$&'))
      .filter((raw) => raw !== '-' && !raw.startsWith(' '));
    const fields = fc.record(
      {
        host: fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain()),
        logname: word,
        user: word,
        ms: fc.integer({ min: 0, max: rules.latestMs / 1000 }).map((seconds) => seconds * 1000),
        offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
        method: fc.constantFrom('GET', 'POST', 'M-SEARCH'),
        path: fc.tuple(word, fc.option(text)).map(([page, query]) => ({ page: `/${page}`, query })),
        status: fc.integer({ min: 100, max: 999 }),
        bytes: fc.maxSafeNat(),
        referrer: text,
        user_agent: text,
      },
      { requiredKeys: ['host', 'ms', 'offset', 'method', 'path', 'status'] },
    );
    fc.assert(
      fc.property(fields, ({ ms, offset, path, ...rest }) => {
        const whole = path.query === null ? path.page : `${path.page}?${path.query}`;
        const line =
          `${rest.host} ${rest.logname ?? '-'} ${rest.user ?? '-'} [${logTime(ms, offset)}] ` +
          `"${rest.method} ${whole} HTTP/1.1" ${rest.status} ${rest.bytes ?? '-'} ` +
          `"${rest.referrer ?? '-'}" "${rest.user_agent ?? '-'}"`;
        const expected = { ...rest, time: new Date(ms), path: whole, page: path.page, protocol: 'HTTP/1.1' };
        expect(present(parse(line))).toEqual(present(expected));
      }),
      { numRuns: 2000 },
    );
  });
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A time as logged by a server in the time zone `offset` minutes east of Greenwich. */
function logTime(ms: number, offset: number): string {
  const [date = '', clock = ''] = new Date(ms + offset * 60_000).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  const minutes = Math.abs(offset);
  const zone = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join('');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock} ${offset < 0 ? '-' : '+'}${zone}`;
}

const LOGS = new URL('../../../../shared/data/access-logs/', import.meta.url);

describe.skipIf(!existsSync(LOGS))('published logs (skipped if ../shared does not exist)', () => {
  it.each([
    ['blog-combined.log.gz', 10_000, 0],
    ['wiki-common.log.gz', 1406, 0],
    ['shop-nginx-extra-field.log.gz', 500, 0],
    ['attack-acunetix-quoted.log.gz', 6539, 1],
    ['odd-lines.log', 18, 4],
  ])('%s has %i lines, all valid, %i without a parseable request', (name, lines, withoutRequest) => {
    const bytes = readFileSync(new URL(name, LOGS));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    const found = text.trimEnd().split('\n').map(parse);
    expect(found.filter((each) => typeof each !== 'string')).toHaveLength(lines);
    expect(found.filter((each) => typeof each !== 'string' && each.method === undefined)).toHaveLength(withoutRequest);
  });
});
