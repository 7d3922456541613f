/** Posts about courses and charts. */
import { ELIN, type SampleNode, TOMAS } from './sample-node.js';

export const deadReckoning: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/dead-reckoning',
  title: 'Dead reckoning, with code',
  author: TOMAS,
  published: [11, '16:05'],
  excerpt: 'Course, speed and time: where you must be if nothing else has moved you.',
  tags: ['code', 'navigation'],
  text: `You know where you were. You know which way you went, how fast, and for how long. So you know where you are, **if nothing else has moved you**. This is dead reckoning, and every navigator does it all the time, with satellites or without.

The speed used to come from a log: a wooden board on a line with knots. It was thrown over the stern, stayed where it fell, and pulled out line while a sandglass ran for about half a minute. The knots that ran through your fingers were your speed. That is why a ship’s speed is still given in knots, nautical miles per hour.

## The arithmetic

A nautical mile is one minute of latitude, so the way north needs no conversion at all. The way east does: meridians meet at the poles, and a minute of longitude shrinks with the cosine of the latitude.

~~~js
const RADIANS = Math.PI / 180;

// Where you are now. Angles are in degrees, the speed in knots.
function reckon({ latitude, longitude }, { course, speed, hours }) {
  const degrees = (speed * hours) / 60; // 60 miles are a degree
  const north = degrees * Math.cos(course * RADIANS);
  const middle = (latitude + north / 2) * RADIANS;
  const east = (degrees * Math.sin(course * RADIANS)) / Math.cos(middle);
  return { latitude: latitude + north, longitude: longitude + east };
}

const start = { latitude: 57.1, longitude: -2.0 };
reckon(start, { course: 70, speed: 6, hours: 4 });
// { latitude: 57.2368, longitude: -1.3067 }
~~~

It uses the latitude in the middle of the way, which is good enough for a day’s run. Close to the poles, or over an ocean, use the proper formulas.

## The error

A course that is wrong by one degree puts you off by one mile in sixty. A current of one knot puts you off by a mile *every hour*, and you cannot see it. That is why the pencil mark on the chart gets a circle around it that grows, until a lighthouse, a sounding or a star lets you draw a new, small one.

Where the word “dead” comes from, nobody knows. The story that it is short for “deduced” is younger than the word.`,
};

export const horizon: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/how-far-is-the-horizon',
  title: 'How far away is the horizon?',
  author: ELIN,
  published: [38, '09:20'],
  excerpt: 'From a beach, three miles. From the lantern of a lighthouse, fifteen.',
  tags: ['lighthouses', 'navigation'],
  text: `![A lighthouse at night](photo:the-light)

Closer than you think. For somebody whose eyes are two meters above the water, it is about three nautical miles, five and a half kilometers. A swimmer’s horizon is less than a mile away.

There is a rule that fits on a thumbnail: take the root of the height of your eye in meters, and multiply it by 2.1. You get nautical miles.

| Height of eye | Horizon |
| ---: | ---: |
| 0.2 m, swimming | 0.9 miles |
| 2 m, on a beach | 3.0 miles |
| 10 m, on a bridge | 6.6 miles |
| 50 m, in a lantern room | 14.8 miles |

Geometry alone gives 1.93 instead of 2.1. The rest is the air. It is denser near the water, so light bends a little around the Earth and we see a bit further than a straight line goes.

## Why lighthouses are tall

Two horizons add up. If a lantern is 50 meters above the sea and your eye is at 4 meters, you see it at 14.8 + 4.2, so 19 miles away: the light lies on the horizon for both of you.

It works backwards, too. When a light just dips behind the horizon and comes back as you bend your knees and stretch, you know how far away it is. With its bearing from the compass, that is a position, from one lamp. Sailors call it *dipping* a light, and after a night of dead reckoning it is a very good moment.`,
};

export const lastLight: SampleNode = {
  type: 'IMAGE',
  path: 'blog/last-light',
  title: 'Last light',
  author: ELIN,
  published: [2, '19:45'],
  excerpt: 'Anchor down, engine off, and nobody says anything for a while.',
  tags: ['drawings'],
  photo: 'last-light',
};

export const bay: SampleNode = {
  type: 'IMAGE',
  path: 'blog/a-chart-of-nowhere',
  title: 'A chart of nowhere',
  author: TOMAS,
  published: [24, '18:30'],
  excerpt: 'A coast that does not exist, with a safe way past it.',
  tags: ['charts', 'drawings'],
  photo: 'a-chart-of-nowhere',
  text: `Every line of this coast was drawn by a program: noise makes the hills, and what is low enough is water. The depths get their colors in steps, as on a real chart, where the shallow water is *darker* than the deep. I have turned that around, because it looks more like the sea.

The dashed line is a safe way from south to north. Nobody has ever sailed it.`,
};
