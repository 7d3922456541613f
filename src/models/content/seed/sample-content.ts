/** The sample content: a blog of people who like to know where they are, a gallery, and a page. */

import type { DrawingName } from '../../system/sample-pictures/drawing.js';
import { bay, deadReckoning, horizon, lastLight } from './posts/courses.js';
import { ELIN, type SampleNode, TOMAS } from './posts/sample-node.js';
import { conrad, film, fogSignals, knots, logbooks } from './posts/ships.js';
import { equationOfTime, poleStar, sextantsAndStars } from './posts/stars.js';
import { tides, tideTables } from './posts/tides.js';

const gallery: SampleNode = {
  type: 'GALLERY',
  path: 'gallery',
  title: 'Drawings',
  author: ELIN,
  published: [80, '08:00'],
  description: 'Things we have seen from the water, and things we look at to find our way. Drawn by a program.',
};

const photo = (slug: string, drawing: DrawingName, title: string, days: number, description: string): SampleNode => ({
  type: 'PHOTO',
  path: `gallery/${slug}`,
  title,
  author: days % 2 === 0 ? ELIN : TOMAS,
  published: [days, '12:00'],
  tags: ['drawings'],
  description,
  drawing,
});

const photos: readonly SampleNode[] = [
  photo(
    'figure-of-eight',
    'rope',
    'Figure of eight',
    78,
    'A figure-eight knot whose ends are joined. It cannot be undone.',
  ),
  photo('the-pointers', 'dipper', 'The Pointers', 66, 'The Big Dipper, and the way from its bowl to Polaris.'),
  photo('wind-rose', 'compass-rose', 'Wind rose', 57, 'Sixteen points. Old charts have thirty-two, each with a name.'),
  photo('the-light', 'lighthouse', 'The light', 41, 'Two flashes, every ten seconds, on a clear night in October.'),
  photo(
    'a-chart-of-nowhere',
    'chart',
    'A chart of nowhere',
    26,
    'A coast that does not exist, with a safe way past it.',
  ),
  photo('springs-and-neaps', 'tide-curve', 'Springs and neaps', 20, 'Two weeks of tides, from new moon to full moon.'),
  photo('morning-fog', 'fog', 'Morning fog', 13, 'Rowing home. The islands came out one by one.'),
  photo('star-trails', 'star-trails', 'Star trails', 6, 'Four hours of stars around the pole.'),
  photo('last-light', 'dusk', 'Last light', 2, 'A program with nine layers of waves, and one boat.'),
];

const about: SampleNode = {
  type: 'PAGE',
  path: 'about',
  title: 'About',
  author: ELIN,
  published: [80, '08:30'],
  excerpt: 'Who writes here, and why none of it is real.',
  text: `*Field notes* is written by two people who like to know where they are: Elin Halvorsen, who repairs instruments, and Tomas Reed, who reads old logbooks. We write about navigation with and without electricity, mostly in winter, when the boat is ashore.

Elin and Tomas are invented. This is **sample data**, which shows what a blog of this server looks like: posts with pictures, tables and code, a quotation, a video, a [gallery](/blog/~/gallery) and this page. What the posts say about tides, stars and ships is true, as far as we know. Please do not navigate by it.

You can remove all of it with \`sextant seed content --undo\`, or in the dashboard under System. What you have changed will stay.`,
};

const blog: SampleNode = {
  type: 'BLOG',
  path: 'blog',
  title: 'Field notes',
  author: ELIN,
  published: [80, '08:00'],
  description: 'On instruments, tides and the art of knowing where you are.',
};

/** Parents before their children, photos before the posts that show their pictures. Each list is one step. */
export const sampleContent: readonly (readonly SampleNode[])[] = [
  [blog, gallery, about],
  ...photos.map((each) => [each]),
  [
    knots,
    poleStar,
    tideTables,
    horizon,
    film,
    logbooks,
    bay,
    tides,
    deadReckoning,
    conrad,
    sextantsAndStars,
    lastLight,
  ],
  [equationOfTime, fogSignals],
];
