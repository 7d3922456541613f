import { expect, it } from 'vitest';
import { sitemap, sitemapIndex } from '../../../src/resolvers/content/site/feeds/sitemap.js';
import { faultsOfXml } from './schemas/validation.js';

const changedAt = new Date('2026-11-20T10:30:00Z');

it('lists addresses with the times of their last change', () => {
  expect(sitemap([{ url: 'https://notes.example/blog/a?b&c', changedAt }])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://notes.example/blog/a?b&amp;c</loc><lastmod>2026-11-20T10:30:00.000Z</lastmod></url>
</urlset>
`);
});

it('lists the files of a large site', () => {
  expect(sitemapIndex([{ url: 'https://notes.example/blog/sitemap-1.xml', changedAt }])).toContain(
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<sitemap><loc>https://notes.example/blog/sitemap-1.xml</loc>',
  );
});

it('is valid by the schema of the protocol', async () => {
  const { href: url } = new URL('https://notes.example/blog/a?b&c=ä<\'">');
  const faults = await faultsOfXml('sitemap', {
    'without addresses': sitemap([]),
    'with and without a time': sitemap([{ url, changedAt }, { url }]),
    'an index': sitemapIndex([{ url }, { url, changedAt }]),
    'an address without a host': sitemap([{ url: '/blog' }]),
    'an address that is not escaped': sitemap([{ url: 'https://notes.example/ä' }]),
    'a time without a zone': sitemap([{ url, changedAt }]).replace('.000Z', ''),
    'an index of no files': sitemapIndex([]),
  });
  expect(Object.keys(faults).filter((name) => faults[name]?.length)).toEqual([
    'an address without a host',
    'an address that is not escaped',
    'a time without a zone',
    'an index of no files',
  ]);
});
