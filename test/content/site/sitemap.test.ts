import { expect, it } from 'vitest';
import { sitemap, sitemapIndex } from '../../../src/resolvers/content/site/feeds/sitemap.js';

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
