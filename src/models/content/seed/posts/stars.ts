/** Posts about the sky. */
import { ELIN, type SampleNode, TOMAS } from './sample-node.js';

export const sextantsAndStars: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/sextants-and-stars',
  title: 'Sextants and stars',
  author: ELIN,
  published: [4, '07:40'],
  excerpt: 'Two mirrors, one arc, and a good clock: how a sixth of a circle finds a ship in the middle of an ocean.',
  tags: ['instruments', 'navigation', 'stars'],
  text: `A sextant measures one thing: the angle between two things you can see. Everything else is arithmetic. It is named after its arc, a sixth of a circle, although it measures angles of up to about 120 degrees. The two mirrors double what the arm moves.

![A long exposure of the northern sky: the stars turn around the pole](photo:star-trails)

## What you do

You look at the horizon through the half of the fixed mirror that is clear. Then you swing the arm until the sun, or a star, comes down in the silvered half and just touches the horizon. Rock the instrument gently: the star swings along a small curve, and its lowest point is the true one. Call the time, read the arc.

The two mirrors are why this works on a moving deck. When the ship rolls, the star and the horizon move **together**, so they stay in touch. The idea was found twice, around 1730, by John Hadley in England and Thomas Godfrey in Philadelphia. Isaac Newton had described it earlier, but his note was only found after his death.

## What it tells you

At the pole, the North Star stands overhead. At the equator it lies on the horizon. In between, its height above the horizon is very nearly your latitude, because Polaris is less than one degree away from the celestial pole.

Longitude is harder, because the Earth turns. It turns by 15 degrees an hour, so four seconds on the clock are one minute of longitude: at the equator, one nautical mile. That is why longitude had to wait for a clock that keeps time at sea. John Harrison’s fourth timekeeper, H4, lost about five seconds on its way to Jamaica in 1761 and 1762.

## How good is it?

With practice, an observer on a small boat gets to within a mile or two. An arc minute is a nautical mile on the ground, and a good sextant can be read to a tenth of that. The rest is the horizon, the clock, and the waves.

It needs no battery. Keep it out of the sun, never lift it by the arm, and do not let anybody adjust the mirrors “just a little”.`,
};

export const poleStar: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/how-to-find-north',
  title: 'How to find north on a clear night',
  author: TOMAS,
  published: [61, '20:15'],
  excerpt: 'Follow two stars of the Big Dipper, five times as far as they are apart.',
  tags: ['navigation', 'stars'],
  text: `![The Big Dipper: its last two stars point at the pole star](photo:the-pointers)

Look for the Big Dipper. North of about 40 degrees it never sets. On autumn evenings it lies low, in spring it stands overhead. The two stars at the end of the bowl are Merak and Dubhe. Sailors call them the Pointers.

1. Draw a line from Merak through Dubhe.
2. Go on, five times as far as the two are apart.
3. There is one star of middling brightness with nothing much around it. That is Polaris.

Two notes for those who are disappointed. Polaris is **not** the brightest star of the sky; almost fifty others are brighter. And it was not always the North Star. The Earth’s axis draws a circle among the stars in about 26,000 years. When the pyramids were built, Thuban in the Dragon was closest to the pole, and in 12,000 years Vega will be near it.

If the Dipper is behind a hill, look on the other side of the pole for a W of five stars, Cassiopeia. When one is low, the other is high.

South of the equator you will need the Southern Cross, and a little more patience: there is no bright star at the south pole of the sky.`,
};

export const equationOfTime: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/when-noon-is-late',
  title: 'When noon is late',
  author: ELIN,
  published: [-3, '07:00'],
  excerpt: 'A sundial and a clock agree on four days of the year.',
  tags: ['instruments', 'time'],
  text: `Put a stick into the ground and mark the shortest shadow. That is noon, by the sun. Do it again tomorrow, with a good watch. The sun will be a few seconds early or late.

The difference adds up. In the middle of February, the sun is about 14 minutes behind the clock; in early November, it is more than 16 minutes ahead. The two agree on four days only, around April 15, June 13, September 1 and December 25.

There are two reasons, and they have different rhythms:

- The Earth’s path around the sun is an ellipse. In January we are closest to the sun and move fastest.
- The Earth’s axis is tilted. Near the solstices the sun moves alongside the equator of the sky, and it takes a little more than 24 hours from one noon to the next. Near the equinoxes it climbs or sinks, and it takes a little less.

Add the two curves and you get the *equation of time*, where “equation” has its old meaning: a correction. It is printed next to the date in every nautical almanac, because whoever finds longitude from the height of the sun must know it to the second.`,
};
