/** Posts about ships, ropes and films. */
import { ELIN, type SampleNode, TOMAS } from './sample-node.js';

export const logbooks: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/a-ship-that-kept-its-log',
  title: 'A ship that kept its log',
  author: TOMAS,
  published: [29, '10:00'],
  excerpt: 'Somebody wrote down the weather six times a day, for two hundred years. Now we know what to do with it.',
  tags: ['history', 'logbooks', 'weather'],
  text: `> Moderate breezes and hazy. Set up the fore rigging. People employed variously.

Most entries in a ship’s log are like this one. Every four hours, at the end of a watch, somebody wrote down the course, the speed, the wind and the sky, and then something about ropes. Nobody expected that it would be read.

## What is in it

Logs were kept in columns, and the columns hardly changed for two centuries:

| Column | Example |
| --- | --- |
| Hour | 4 |
| Knots and fathoms | 5, 4 |
| Course | W by S ½ S |
| Wind | NNW |
| Remarks | Fresh gales with squalls |

The words for the wind were not chosen at random. From 1806 on, Francis Beaufort used numbers in his own log, from 0, calm, to 12, “that which no canvas could withstand”. The Royal Navy made his scale the rule in 1838.

## What it is good for

In the 1840s, Matthew Fontaine Maury collected thousands of old logs in Washington, drew the winds and currents of the oceans from them, and showed captains faster ways. Some passages became weeks shorter.

They are useful again today. There were no weather stations on the oceans, but there were ships, every day, with somebody who looked up and wrote down what he saw. The project CLIWOC read British, Dutch, French and Spanish logbooks from 1750 to 1850. In Old Weather, which began in 2010, volunteers typed the pages of Royal Navy ships from the time of the First World War, and later those of American ships in the Arctic, with every note about ice.

A barometer that was read on a quiet afternoon in 1916 is now one of the numbers from which the climate of the last century is computed.

So: write it down, with the date. Somebody may need it.`,
};

export const knots: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/knots-you-will-use',
  title: 'Four knots you will use',
  author: ELIN,
  published: [75, '13:45'],
  excerpt: 'There are thousands of knots. These four are enough for almost everything on a small boat.',
  tags: ['boats', 'knots'],
  text: `![A rope in a figure of eight, closed to a ring](photo:figure-of-eight)

*The Ashley Book of Knots* has more than 3,800 entries. You need four of them, in the dark, with cold hands.

## Bowline

A loop at the end of a rope that does not slip and does not jam. However hard it was pulled, you can open it again: bend the part that goes over the standing line back, and it is loose. It can only not be untied *while* there is load on it.

## Figure eight

The stopper: it keeps a rope from running out through a block. It is larger than a simple overhand knot and easier to open. Climbers tie into their harness with the same knot, followed back through itself.

## Clove hitch

Two turns around a post, the second crossing the first. It is quickly made and easily adjusted, which is why fenders hang from it. Do not trust it alone with a boat: it can work itself loose when the post turns or the pull changes.

## Round turn and two half hitches

For mooring to a ring or a rail. The round turn takes the load, so you can hold a boat with it while you tie the rest. It can be untied while there is still load on it, because the turn keeps holding.

## How to learn them

Not from pictures. Put two meters of line next to where you drink your coffee, and tie one knot a hundred times. On the next day, do it behind your back.

A knot is weaker than the rope it is in, since the tight bend is where it will break. Depending on knot and rope, a third of the strength is gone, or more.`,
};

export const conrad: SampleNode = {
  type: 'QUOTE',
  path: 'blog/the-accomplice',
  title: 'The accomplice',
  author: TOMAS,
  published: [7, '21:00'],
  tags: ['books'],
  text: 'The sea has never been friendly to man. At most it has been the accomplice of human restlessness.',
  source: 'Joseph Conrad, The Mirror of the Sea, 1906',
};

export const film: SampleNode = {
  type: 'VIDEO',
  path: 'blog/a-film-for-a-day-in-harbor',
  title: 'A film for a day in harbor',
  author: ELIN,
  published: [33, '15:00'],
  excerpt: 'Gale warning, everybody below. Fifteen minutes with a girl and a dragon.',
  tags: ['films'],
  videoUrl: 'https://www.youtube.com/watch?v=eRsGyueVLvQ',
  text: `*Sintel* was made in Amsterdam in 2010, with free software from beginning to end, and everything in it is free: the film, the models, the sounds. Much of it was paid for by people who bought the DVD before it existed.

The player is loaded from another site. That happens when you click, not before.`,
};

export const fogSignals: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/fog-signals',
  title: 'Fog signals',
  author: ELIN,
  published: null,
  excerpt: '',
  tags: ['lighthouses', 'weather'],
  text: `Bells, guns, gongs, sirens, and the diaphone with its grunt at the end.

- Robert Foulis, Saint John, New Brunswick: the first foghorn that ran on steam, 1859. He had heard his daughter’s piano through the fog, but only the low notes.
- Sound in fog goes around corners and leaves silent zones. Ask the pilots about that.
- One prolonged blast at most every two minutes: a power-driven ship under way. Two: under way, but stopped.

Still to do: who has switched off the last one near us, and when?`,
};
