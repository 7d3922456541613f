import { beforeEach, describe, expect, it } from 'vitest';
import {
  changeSiteOrigins,
  findSite,
  findSites,
  normalizeHost,
  noteSite,
  noteSites,
  registerSite,
  siteSnippet,
  sites,
} from '../../../src/models/analytics/sites/site.js';
import { useDatabase } from '../../support/database.js';
import { testAct } from '../../support/people.js';

const database = useDatabase();
const now = new Date('2026-01-31T12:00:00Z');
const later = new Date('2026-02-01T12:00:00Z');
const origins = ['https://example.org', 'https://www.example.org'];

beforeEach(async () => {
  await sites(database.db).deleteMany({});
});

describe('a hostname', () => {
  it.each([
    ['EXAMPLE.org', 'example.org'],
    ['example.org.', 'example.org'],
    ['example.org:80', 'example.org'],
    ['example.org:443', 'example.org'],
    ['example.org:8080', 'example.org:8080'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost:5173', 'localhost:5173'],
    ['[::1]:4000', '[::1]:4000'],
    [
      `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
      `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
    ],
  ])('%s is normalized to %s', (text, host) => {
    expect(normalizeHost('host', text)).toBe(host);
    expect(normalizeHost('host', host)).toBe(host);
  });

  it.each([
    '',
    '/',
    'example.org/a',
    'http://example.org',
    'a b',
    'user@example.org',
    'a?b',
    'a#b',
    'a"b',
    'a&b',
    'a%2fb',
    '.',
    'a..b',
    ':80',
    `${'a'.repeat(254)}`,
    'example.org\\a',
    '\ud800',
    '$where',
    'a\u0000b',
  ])('cannot be %j', (text) => {
    expect(() => normalizeHost('host', text)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
  });
});

describe('registering a site', () => {
  it('returns the site with sorted origins, and the same for a repetition', async () => {
    const registered = { _id: 'example.org', allowed_origins: origins, created_at: now };
    const input = {
      host: 'Example.ORG',
      allowedOrigins: ['https://www.example.org', 'https://example.org/', ...origins],
    };
    expect(await registerSite(database.db, testAct(now), input)).toEqual(registered);
    expect(await registerSite(database.db, testAct(later), { host: 'example.org', allowedOrigins: origins })).toEqual(
      registered,
    );
  });

  it('refuses other origins and changes nothing', async () => {
    await registerSite(database.db, testAct(now), { host: 'example.org', allowedOrigins: origins });
    expect(await registerSite(database.db, testAct(later), { host: 'example.org', allowedOrigins: [] })).toMatchObject({
      __typename: 'SiteAlreadyRegistered',
      site: { _id: 'example.org', allowed_origins: origins },
    });
    expect(await findSite(database.db, 'example.org')).toMatchObject({ allowed_origins: origins, created_at: now });
  });

  it('registers a site noted by a hit or an import', async () => {
    await noteSite(database.db, 'example.org', now);
    expect(await findSite(database.db, 'example.org')).toEqual({ _id: 'example.org', created_at: now });
    expect(await registerSite(database.db, testAct(later), { host: 'example.org', allowedOrigins: origins })).toEqual({
      _id: 'example.org',
      allowed_origins: origins,
      created_at: now,
    });
  });

  it('has one winner among 50 concurrent calls with different origins', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, caller) =>
        registerSite(database.db, testAct(now), { host: 'example.org', allowedOrigins: [`https://${caller}.example`] }),
      ),
    );
    expect(outcomes.filter((outcome) => '_id' in outcome)).toHaveLength(1);
    expect(outcomes.filter((outcome) => '__typename' in outcome)).toHaveLength(49);
    expect(await sites(database.db).countDocuments()).toBe(1);
  });

  it.each([
    ['a path', ['https://example.org/a']],
    ['no scheme', ['example.org']],
    ['another scheme', ['ftp://example.org']],
    ['a script', ['javascript:alert(1)']],
    ['a user', ['https://me@example.org']],
    ['21 origins', Array.from({ length: 21 }, (_, n) => `https://${n}.example`)],
  ])('refuses origins with %s', async (_case, allowedOrigins) => {
    await expect(
      registerSite(database.db, testAct(now), { host: 'example.org', allowedOrigins }),
    ).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
    expect(await sites(database.db).countDocuments()).toBe(0);
  });
});

describe('changing a site’s origins', () => {
  it('replaces them', async () => {
    await registerSite(database.db, testAct(now), { host: 'example.org', allowedOrigins: origins });
    expect(await changeSiteOrigins(database.db, testAct(now), 'example.org', [])).toMatchObject({
      allowed_origins: [],
    });
    expect(await findSite(database.db, 'example.org')).toMatchObject({ allowed_origins: [] });
  });

  it('refuses a site that does not exist', async () => {
    expect(await changeSiteOrigins(database.db, testAct(now), 'none.example', origins)).toMatchObject({
      __typename: 'SiteNotFound',
    });
    expect(await sites(database.db).countDocuments()).toBe(0);
  });
});

describe('noting sites', () => {
  it('lists each once, keeps registered ones unchanged, and queries the database once', async () => {
    await registerSite(database.db, testAct(now), { host: 'a.example', allowedOrigins: origins });
    await Promise.all([
      noteSites(database.db, ['a.example', 'b.example'], later),
      noteSites(database.db, ['b.example'], later),
    ]);
    expect(await findSites(database.db)).toEqual([
      { _id: 'a.example', allowed_origins: origins, created_at: now },
      { _id: 'b.example', created_at: later },
    ]);
    await sites(database.db).deleteMany({});
    await noteSite(database.db, 'b.example', later); // cached by this process
    expect(await findSites(database.db)).toEqual([]);
  });
});

describe('the snippet', () => {
  it('is one line with a script, and an image for browsers with scripts disabled', () => {
    expect(siteSnippet('https://sextant.example/', 'localhost:5173')).toBe(
      '<script async src="https://sextant.example/hit.js" data-site="localhost:5173"></script>' +
        '<noscript><img src="https://sextant.example/hit.gif?site=localhost%3A5173" alt="" width="1" height="1" ' +
        'referrerpolicy="no-referrer-when-downgrade"></noscript>',
    );
  });
});
