/** Invented data for the pictures in docs/, besides the sample data: a log that is being imported, and some people. */

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A small linear congruential generator, so that every run takes the same pictures. */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const pages = [
  ['/', 12],
  ['/notes/sextants-and-stars', 7],
  ['/notes/dead-reckoning', 5],
  ['/atlas/north-sea', 4],
  ['/notes/a-ship-that-kept-its-log', 3],
  ['/about', 2],
  ['/notes/tides', 2],
  ['/atlas', 1],
];
const weights = pages.reduce((sum, [, weight]) => sum + weight, 0);

function pickPage(random) {
  let left = random() * weights;
  for (const [page, weight] of pages) {
    left -= weight;
    if (left < 0) return page;
  }
  return '/';
}

const monthName = (date) => date.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
const two = (number) => String(number).padStart(2, '0');
const logTime = (at) =>
  `${two(at.getUTCDate())}/${monthName(at)}/${at.getUTCFullYear()}:${at.toISOString().slice(11, 19)} +0000`;

/** Requests per minute: a day has a night, a week has a weekend, and the blog grows. @param age 0 now, 1 at the beginning */
function rateAt(at, age) {
  const day = 1.2 - Math.cos(((at.getUTCHours() + at.getUTCMinutes() / 60 - 3) / 12) * Math.PI);
  const weekend = [0, 6].includes(at.getUTCDay()) ? 0.6 : 1;
  return 3 * day * weekend * (1 - 0.6 * age);
}

/** An access log in combined format. @param minutes its length, up to `end` @param busy by how much it is busier than usual */
export function accessLog(end, minutes, seed, busy = 1) {
  const random = makeRandom(seed);
  const lines = [];
  for (let minute = minutes; minute > 0; minute -= 1) {
    const from = end - minute * MINUTE_MS;
    const rate = busy * rateAt(new Date(from), minute / minutes);
    const count = Math.round(rate * (0.6 + 0.8 * random()));
    for (let index = 0; index < count; index += 1) {
      const at = new Date(from + Math.floor((index / count) * MINUTE_MS));
      const client = `203.0.113.${1 + Math.floor(random() * 250)}`;
      lines.push(
        `${client} - - [${logTime(at)}] "GET ${pickPage(random)} HTTP/1.1" 200 ${2000 + Math.floor(random() * 9000)} "-" "Mozilla/5.0"`,
      );
    }
    if (random() < 0.0005) lines.push('a line that is not in the format of a log');
  }
  return `${lines.join('\n')}\n`;
}

export const people = [
  ['Aiko Tanaka', 'aiko', ['ADMIN']],
  ['Ines de la Cruz', 'ines', []],
  ['Jonas Weber', 'jonas.weber', ['EDITOR']],
  ['Ole', 'ole', ['EDITOR']],
  ['Priya Raman', 'priya.raman', ['ADVERTISER']],
];

/** Roles of the invitations. */
export const invitations = [
  ['tom', ['MEMBER']],
  ['samira', ['EDITOR']],
];

export const MONTH_MINUTES = (30 * 24 * HOUR_MS) / MINUTE_MS;

/** Comments on a post: by whom, which one it replies to, the text. Those of visitors have no account. */
export const comments = [
  ['aiko', null, 'The part about the **artificial horizon** was new to me. Is oil really calmer than water?'],
  ['ines', 0, 'It is, in light wind. We used molasses once: it works, and then everything sticks.'],
  ['aiko', 1, 'Then oil it is.'],
  ['jonas.weber', null, 'For a first try, take the sun at noon: one angle, no clock, and you have your latitude.'],
  ['ole', 3, 'And a hat.'],
];
export const visitors = [['Henrik', 'Where can I see one of these instruments?']];

/** Posts of the network, the oldest first: by whom, and what. `about` is the path of a node of the sample data, or the SKU of a product. */
export const posts = [
  ['jonas.weber', { text: 'The tide tables for next week are pinned up at the harbor office. Low water is at noon.' }],
  ['ole', { text: 'Bought it, read it in one night.', audience: 'PUBLIC' }, { product: 'BK-5001' }],
  [
    'priya.raman',
    {
      type: 'POLL',
      text: 'The boat is in the water from May.',
      poll: { question: 'Where do we sail first?', options: ['Skagen', 'The Lofoten', 'Once around the island'] },
    },
    { votes: { aiko: 1, ines: 1, ole: 0, 'jonas.weber': 1, marta: 1 } },
  ],
  [
    'aiko',
    { text: 'Drawn, not photographed. I would still like to be on that boat.', audience: 'PUBLIC' },
    {
      node: '/gallery/last-light',
      comments: [
        ['ines', 'Nine layers of waves! I counted.'],
        ['ole', 'The light is right, too: that is how it looks five minutes before you need a lamp.'],
      ],
    },
  ],
];
export const circle = { name: 'Crew', members: ['aiko', 'ines', 'jonas.weber', 'ole', 'priya.raman'] };

/** Two characters of the sample world: whose they are, their names and classes. */
export const characters = {
  own: ['marta', 'Elske', 'MAGE'],
  other: ['ines', 'Corvin', 'ROGUE'],
  /** What is typed, what then shows, and what the other one types after that. */
  talk: [
    ['look at notice', 'WANTED', 'look at notice', 'say That is us, then.'],
    ['north', 'You go north.', 'north'],
    ['east', 'You go east.', 'east'],
    ['buy lantern', 'You buy', 'say Good. It is dark in there.'],
    ['buy oilskin coat', 'You buy'],
    ['wear oilskin coat', 'You put on', 'say Yellow suits you.'],
  ],
  last: 'Yellow suits you.',
};
