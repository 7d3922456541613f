/** Posts about tides. */
import { ELIN, type SampleNode, TOMAS } from './sample-node.js';

const beginning = `The moon is overhead again after 24 hours and 50 minutes, on average, because it moves on while the Earth turns. There are two tides in that time, so high water comes about 12 hours and 25 minutes after the last one: every day almost an hour later.`;

export const tides: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/tides',
  title: 'Twelve hours and twenty-five minutes',
  author: ELIN,
  published: [18, '06:30'],
  excerpt: 'Why high water is later every day, and how to guess the height of the tide in between.',
  tags: ['tides', 'time'],
  firstText: `${beginning}

The sun pulls, too, with a little less than half the strength of the moon. When both pull along one line, at new moon and full moon, the tides are high: spring tides.

TODO: the rule of twelfths, with a table.`,
  text: `${beginning}

![Two weeks of tides, from new moon to full moon](photo:springs-and-neaps)

The sun pulls, too, with a little less than half the strength of the moon. When both pull along one line, at new moon and full moon, high water is very high and low water very low: *spring tides*, which have nothing to do with the season. In between, when the moon is half, they work against each other: *neap tides*. The picture shows both, over two weeks.

## The rule of twelfths

The water does not rise evenly. It starts slowly, runs fastest in the middle, and slows down again. An old rule divides the rise into twelve parts, and the time into six hours:

| Hour | Part of the rise | So far |
| ---: | ---: | ---: |
| 1 | 1/12 | 1/12 |
| 2 | 2/12 | 3/12 |
| 3 | 3/12 | 6/12 |
| 4 | 3/12 | 9/12 |
| 5 | 2/12 | 11/12 |
| 6 | 1/12 | 12/12 |

Half of all the water comes in the two hours in the middle. If you have run aground on a rising tide, this is the good news.

## Where the rule fails

It assumes that the tide is a plain wave. In the Solent, high water comes twice, close together. In parts of the Gulf of Mexico there is one tide a day. In the middle of the Mediterranean, there is hardly any. And a week of wind from one side can add or take away more than the moon.

The largest tides are in the Bay of Fundy in Canada. The water there rises by up to 16 meters, because the bay has just the right length: the water swings in it, like in a bathtub, almost in time with the moon.`,
};

export const tideTables: SampleNode = {
  type: 'BLOG_POST',
  path: 'blog/the-tide-tables-nobody-printed',
  title: 'The tide tables nobody printed',
  author: TOMAS,
  published: [47, '08:10'],
  excerpt: 'In 1943, a mathematician near Liverpool was asked for the tides of a place without a name.',
  tags: ['history', 'instruments', 'tides'],
  text: `Tides repeat themselves, but never exactly. The moon is closer and farther, north and south of the equator; so is the sun. Each of these rhythms adds a wave of its own, and the tide is the sum of all of them.

In 1872, William Thomson, later Lord Kelvin, designed a machine that adds such waves. A pulley for each wave moves up and down at its own pace; one wire runs over and under all of them, and at its end a pen draws the sum. Turn the crank for a few hours, and you have the tides of a harbor for a year.

## Position Z

In the 1940s, two of these machines were at the observatory of Bidston, near Liverpool, in rooms far apart, so that one bomb could not hit both. Arthur Doodson ran them.

In October 1943 he got a request from the Admiralty. It had waves for a place called *Position Z*, without latitude or longitude, and asked for hourly heights from April to July 1944. The waves had been put together by Commander William Farquharson, from few and secret measurements of a foreign shore.

The landing needed low water soon after dawn, so that the obstacles on the beach would lie dry, and a moon late in the night for those who came by air. Doodson’s tables showed on which days that would be the case. June 5, 6 and 7 were among them.

Position Z was the coast of Normandy. The tables were right, and very few people ever saw them.

## Where the machines are

One of the two, built in 1906, and another of 1950 stand in Liverpool today and are run for visitors. A digital computer took over in the 1960s. It adds the same waves.`,
};
