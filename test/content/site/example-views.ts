/** Views for tests of pages and feeds. */
import type { BlogView, EntryView, SiteView } from '../../../src/resolvers/content/site/pages/views.js';

export const site: SiteView = {
  origin: 'https://notes.example',
  title: 'Field Notes',
  home: '/blog',
  menu: [{ title: 'About', path: '/blog/~/about' }],
  styles: 'a > b { color: red }',
  script: '/assets/site.js',
  countedAs: null,
};

export const blog: BlogView = {
  id: 'QmxvZzpi',
  path: '/blog',
  title: 'Field Notes',
  description: 'Instruments & coasts',
  feeds: { rss: '/blog/rss.xml', atom: '/blog/atom.xml', json: '/blog/feed.json' },
};

export const entry = (own: Partial<EntryView> = {}): EntryView => ({
  id: 'QmxvZ1Bvc3Q6MQ',
  type: 'BLOG_POST',
  nonce: 'n1',
  path: '/blog/horizon',
  title: 'The horizon',
  excerpt: 'Where it is.',
  html: '<p>Look <a href="/blog/other">here</a>.</p>',
  author: 'Marta Lind',
  publishedAt: new Date('2026-11-20T09:00:00Z'),
  editedAt: new Date('2026-11-20T10:30:00Z'),
  tags: [{ title: 'navigation', path: '/blog/~tag/navigation' }],
  picture: null,
  video: null,
  source: '',
  readingMinutes: 1,
  ...own,
});

export const picture = {
  src: '/assets/p1/1280',
  srcset: '/assets/p1/320 320w, /assets/p1/640 640w',
  width: 1600,
  height: 1000,
  alt: 'A ridge',
};

export const video = {
  pageUrl: 'https://www.youtube.com/watch?v=abc',
  embedUrl: 'https://www.youtube-nocookie.com/embed/abc',
  host: 'YouTube',
};

/** Every character that has a meaning for HTML, XML or a CDATA section. */
const MEANT = `</title><script>alert(1)</script> "a" 'b' &amp; &lt; ]]> ]]> <![CDATA[ --> 𝕏`;
/** The same with characters that XML does not allow, and half of one. */
export const HOSTILE = `${MEANT}\u0001\u000b\ufffe\ud800`;
/** As a reader should see it. */
export const READABLE = `${MEANT}\ufffd`;
