/** What the people of the sample network have posted, on some days of the last two months. Each list is one step. */
import type { SamplePost } from './sample-post.js';

const earliest: readonly SamplePost[] = [
  {
    key: 'hello',
    type: 'STATUS',
    by: 'tomas',
    at: [58, '19:40'],
    text: 'So this is where everybody is. I brought a rope.',
    comments: [
      { by: 'kofi', at: [58, '20:05'], text: 'We have rope. Did you bring biscuits?' },
      { by: 'tomas', at: [58, '20:11'], text: 'The biscuits did not survive the crossing.' },
    ],
  },
  {
    key: 'captain',
    type: 'STATUS',
    by: 'kofi',
    at: [56, '16:30'],
    text: 'Twelve children, six dinghies, no wind. We practised the word “patience” in four languages. The captain slept on the chart.',
    comments: [
      {
        by: 'leila',
        at: [56, '17:02'],
        text: 'Which chart? If it is one of mine, she has good taste.',
        replies: [
          { by: 'kofi', at: [56, '17:20'], text: 'The one with the harbor. There are paw prints in the fairway now.' },
        ],
      },
      { by: 'idris', at: [56, '18:44'], text: 'Paw prints are a recognised hazard. *Mark them in pencil.*' },
    ],
  },
  {
    key: 'pointers',
    type: 'PHOTO',
    drawing: 'dipper',
    description:
      'The Big Dipper over a dark blue sky of many stars. A dashed line leads from the two stars at its right up to a single bright one, the pole star.',
    by: 'elin',
    at: [54, '22:15'],
    text: 'The first clear night in a week. Five times the distance between the two on the right, straight up: there it is.',
    comments: [{ by: 'idris', at: [53, '06:50'], text: 'May I show this to my Tuesday class?' }],
  },
  {
    key: 'plank',
    type: 'STATUS',
    by: 'maren',
    at: [51, '11:10'],
    text: 'The last plank of number eleven is called the whiskey plank, because of what one drinks when it is in. It is in.',
    comments: [
      { by: 'jonas', at: [51, '14:30'], text: 'Congratulations from 61 degrees north. I drank cocoa to it.' },
      { by: 'elin', at: [51, '18:00'], text: 'She is beautiful. Does she have a name yet?' },
      { by: 'maren', at: [51, '18:25'], text: 'I will ask you all, in a while.' },
    ],
  },
  {
    key: 'clock',
    type: 'STATUS',
    by: 'elin',
    at: [50, '09:20'],
    circles: ['Workshop'],
    text: 'The clock from the pilot station is done. It loses a second and a half a day, always the same, which is all one can ask of a clock.',
    comments: [{ by: 'leila', at: [50, '12:00'], text: 'A fault that is known is not a fault. I want that on a mug.' }],
  },
  {
    key: 'soup',
    type: 'STATUS',
    by: 'jonas',
    at: [47, '05:55'],
    text: 'Force nine. The soup of the day is bread.',
    comments: [
      { by: 'oona', at: [47, '07:10'], text: 'Stay in one piece. You, and the bread.' },
      { by: 'maren', at: [47, '07:31'], text: 'Beaufort should have had a column for the galley.' },
    ],
  },
  {
    key: 'beaufort',
    type: 'LINK',
    by: 'tomas',
    at: [47, '20:30'],
    url: 'https://en.wikipedia.org/wiki/Beaufort_scale',
    title: 'The Beaufort scale',
    text: 'As Maren has asked: it did not begin with the wind, but with how much sail a frigate could carry.',
    comments: [{ by: 'jonas', at: [46, '06:20'], text: 'Nine is: the cook stays.' }],
  },
  {
    key: 'lindesnes',
    type: 'CHECK_IN',
    by: 'oona',
    at: [44, '15:45'],
    title: 'Lindesnes lighthouse',
    latitude: 57.9826,
    longitude: 7.0466,
    text: 'The southernmost one of Norway. It began with thirty candles, which one could not see from the sea.',
    comments: [{ by: 'elin', at: [44, '17:30'], text: 'You are in my country and did not ring!' }],
  },
];

const later: readonly SamplePost[] = [
  {
    key: 'light',
    type: 'PHOTO',
    drawing: 'lighthouse',
    description:
      'A red and white lighthouse on a dark rock by the sea at night. Its lamp throws one beam to the left and one to the right.',
    by: 'oona',
    at: [41, '21:00'],
    text: 'Two flashes, every ten seconds. I drew the dark between them, mostly.',
    comments: [
      { by: 'tomas', at: [41, '21:40'], text: 'I know this one. We counted it all night in 1998, to stay awake.' },
      { by: 'leila', at: [40, '08:15'], text: 'Fl(2) 10s. In my work, that is the whole picture.' },
    ],
  },
  {
    key: 'question',
    type: 'STATUS',
    by: 'idris',
    on: 'tomas',
    at: [38, '10:00'],
    text: 'Somebody in class asked why knots are called knots. I said I know a man. Would you?',
    comments: [
      {
        by: 'tomas',
        at: [38, '13:15'],
        text: 'A line with a knot every 47 feet and 3 inches, and a glass of 28 seconds. You count the knots that run out. Then you know how fast you are, and your hands are cold.',
        replies: [{ by: 'idris', at: [38, '13:30'], text: 'They want to build one. They have found a line.' }],
      },
      { by: 'kofi', at: [38, '19:05'], text: 'We built one! Five knots, downhill.' },
    ],
  },
  {
    key: 'name',
    type: 'POLL',
    by: 'maren',
    at: [35, '08:30'],
    question: 'What should number eleven be called?',
    options: ['Whimbrel', 'Second Coffee', 'Patience', 'Eleven'],
    closesAfterDays: 30,
    votes: { elin: 0, tomas: 2, idris: 2, oona: 1, jonas: 1, leila: 0, kofi: 2 },
    text: 'A name is harder to change than a plank, so I ask.',
    comments: [
      {
        by: 'jonas',
        at: [35, '09:45'],
        text: 'A boat that is called **Second Coffee** is never late. Think about it.',
      },
      {
        by: 'kofi',
        at: [34, '16:20'],
        text: 'The children vote for Patience, twelve to nothing. The captain abstained.',
      },
    ],
  },
  {
    key: 'survey',
    type: 'STATUS',
    by: 'leila',
    at: [33, '14:10'],
    circles: ['Colleagues'],
    text: 'The new soundings are in. The rock moved by eleven meters. Or it was never where we had it.',
    comments: [
      { by: 'idris', at: [33, '15:00'], text: 'Rocks do not move. Charts do.' },
      { by: 'elin', at: [33, '15:22'], text: 'Whose sextant was it? Ask for a friend.' },
    ],
  },
  {
    key: 'nowhere',
    type: 'PHOTO',
    drawing: 'chart',
    description:
      'A sea chart with a coast at the left and a small island in the middle. A dashed red course in four legs passes the island on its west and north side. A compass rose is at the lower right.',
    by: 'leila',
    at: [31, '18:00'],
    text: 'A coast that does not exist, for an exercise. There is one safe way past it. Idris has found another.',
    comments: [{ by: 'idris', at: [31, '18:30'], text: 'At high water, with a following wind, and with luck.' }],
  },
  {
    key: 'gulls',
    type: 'STATUS',
    by: 'jonas',
    at: [28, '12:05'],
    circles: 'ALL',
    text: 'A gull has learned the times of the meals. It stands at the galley door at 11:55. It does not come on Sundays, when we eat late.',
    comments: [{ by: 'oona', at: [28, '13:40'], text: 'It has a better clock than Elin’s pilot station.' }],
  },
  {
    key: 'bread',
    type: 'STATUS',
    by: 'maren',
    on: 'jonas',
    at: [26, '17:45'],
    text: 'Parcel for you in the harbor office at Bergen: two loaves of rye, one jar of varnish. Please do not mix them up.',
    comments: [{ by: 'jonas', at: [25, '09:00'], text: 'The deck shines. The breakfast was difficult.' }],
  },
];

const latest: readonly SamplePost[] = [
  {
    key: 'tides',
    type: 'PHOTO',
    drawing: 'tide-curve',
    description:
      'A curve of 28 tides that are high and low at both ends and weak in the middle. Above it, five moons, from new to full.',
    by: 'idris',
    at: [21, '07:15'],
    text: 'Two weeks of tides, from the new moon to the full moon. The Tuesday class drew the curve by hand. Four of eleven now believe in the moon.',
    comments: [
      { by: 'elin', at: [21, '08:05'], text: 'And the other seven?' },
      { by: 'idris', at: [21, '08:20'], text: 'They want to see more data. I am very proud of them.' },
    ],
  },
  {
    key: 'jamestown',
    type: 'CHECK_IN',
    by: 'kofi',
    at: [18, '06:30'],
    title: 'Jamestown, Accra',
    latitude: 5.5333,
    longitude: -0.2117,
    text: 'Between the fishing boats at sunrise, with all twelve. Nobody fell in who did not want to.',
    comments: [
      { by: 'maren', at: [18, '07:50'], text: 'Those boats are cut from one tree. I could look at them for a week.' },
    ],
  },
  {
    key: 'swim',
    type: 'STATUS',
    by: 'leila',
    at: [16, '05:40'],
    circles: ['Swimmers'],
    text: 'Sixteen degrees this morning. It is warmer than it looks, and it looks cold.',
    comments: [
      { by: 'oona', at: [16, '06:10'], text: 'Here there is ice. I went in anyway, quickly.' },
      { by: 'kofi', at: [16, '08:30'], text: 'Twenty-eight. I am sorry.' },
    ],
  },
  {
    key: 'chronometer',
    type: 'LINK',
    by: 'elin',
    at: [14, '20:20'],
    url: 'https://en.wikipedia.org/wiki/Marine_chronometer',
    title: 'Marine chronometer',
    text: 'Four seconds on this are a nautical mile on the equator. It is why I like clocks that have one fault only.',
  },
  {
    key: 'rope',
    type: 'PHOTO',
    drawing: 'rope',
    description:
      'A thick rope on blue planks, laid in a figure of eight that is folded over itself. No end of it can be seen.',
    by: 'tomas',
    at: [11, '19:00'],
    text: 'A figure of eight whose ends are joined. It cannot be undone. I have tried, on the telephone, for an hour.',
    comments: [
      { by: 'kofi', at: [11, '19:30'], text: 'The captain has undone it. She will not say how.' },
      { by: 'elin', at: [11, '21:15'], text: 'Topology does not apply to cats.' },
    ],
  },
  {
    key: 'fog',
    type: 'PHOTO',
    drawing: 'fog',
    description:
      'Somebody in an orange coat rows a small boat over still water. Behind, hill after hill fades into the fog under a pale sun.',
    by: 'oona',
    at: [9, '08:50'],
    circles: ['Friends'],
    text: 'Rowed home by ear. The islands came out one by one, as if they had been asked to.',
    comments: [{ by: 'tomas', at: [9, '09:20'], text: 'Fog is the only weather with manners.' }],
  },
  {
    key: 'meeting',
    type: 'POLL',
    by: 'kofi',
    at: [6, '12:00'],
    question: 'Where do we meet this year?',
    options: ['Svendborg, at the launch', 'Accra, where it is warm', 'On the ship of Jonas', 'In the fog, by ear'],
    votes: { elin: 0, tomas: 3, idris: 1, oona: 0, leila: 1, kofi: 0, maren: 0 },
    comments: [
      { by: 'maren', at: [6, '12:30'], text: 'There is room for all of you, if some sleep in number eleven.' },
      {
        by: 'jonas',
        at: [5, '04:45'],
        text: 'I cannot vote, the satellite is behind the funnel. I will cook, wherever it is.',
        replies: [{ by: 'kofi', at: [5, '07:00'], text: 'Then it is decided, more or less.' }],
      },
    ],
  },
  {
    key: 'launch',
    type: 'STATUS',
    by: 'elin',
    on: 'maren',
    at: [3, '16:10'],
    text: 'The compass for number eleven is on its way. I have swung it twice, and it points north, which I mention because the last one did not.',
    comments: [
      {
        by: 'maren',
        at: [3, '18:40'],
        text: 'Then there is no more excuse. She goes in on the first Saturday without wind.',
      },
    ],
  },
  {
    key: 'dusk',
    type: 'PHOTO',
    drawing: 'dusk',
    description:
      'A small sailing boat at sunset. The sky goes from violet to orange, the sun stands just above the horizon, and its light glitters on layers of waves that get darker towards us.',
    by: 'jonas',
    at: [1, '17:20'],
    text: 'Last light, last day of the cruise. Nine layers of waves; I counted while the potatoes boiled.',
    comments: [
      { by: 'leila', at: [1, '17:55'], text: 'Welcome back to where the charts are good.' },
      { by: 'oona', at: [1, '19:05'], text: 'I am putting the coffee on.' },
    ],
  },
];

export const samplePosts = [earliest, later, latest] as const;
