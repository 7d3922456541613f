/** Instruments, charts and books of the sample catalog. Makers, authors and places are invented. */
import { goods, type SampleProduct } from './sample-product.js';

export const instruments: readonly SampleProduct[] = [
  goods('NAV-3001', 'Brass sextant', [28_900, 34_900, 6], {
    type: 'INSTRUMENT',
    categories: ['navigation'],
    about:
      'A working replica with a 130° arc and a vernier of 0.2 minutes, in a wooden box with a certificate of error.',
    weight: 1850,
    properties: { material: 'brass', maker: 'Harrow & Sons' },
  }),
  goods('NAV-3002', 'Hand bearing compass', [8950, null, 30], {
    type: 'INSTRUMENT',
    categories: ['navigation'],
    about: 'Reads to half a degree from a moving deck. The capsule is lit for ten hours after a minute of daylight.',
    weight: 240,
    properties: { material: 'rubber', maker: 'Polaris Works' },
  }),
  goods('NAV-3003', 'Parallel rulers, 45 cm', [2490, null, 55], {
    type: 'INSTRUMENT',
    categories: ['navigation', 'charts'],
    about: 'Walks a bearing across a chart without slipping. With a scale for each of the usual chart scales.',
    weight: 180,
    properties: { material: 'acrylic', maker: 'Harrow & Sons' },
  }),
  goods('NAV-3004', 'One-handed dividers', [3450, null, 42], {
    type: 'INSTRUMENT',
    categories: ['navigation', 'charts'],
    about: 'Open and close with one hand, because the other one is for the ship. Points of stainless steel.',
    weight: 70,
    properties: { material: 'brass', maker: 'Polaris Works' },
  }),
  goods('NAV-3005', 'Artificial horizon', [5900, 6900, 12], {
    type: 'INSTRUMENT',
    categories: ['navigation'],
    about: 'A tray of dark oil under glass. For taking sights in the garden, where there is no sea to measure from.',
    weight: 620,
    properties: { material: 'glass', maker: 'Harrow & Sons' },
  }),
  goods('CLK-3101', 'Ship’s clock', [18_900, null, 9], {
    type: 'INSTRUMENT',
    categories: ['timekeeping'],
    about: 'Strikes the bells of the watch. Eight-day movement; loses less than a minute in that time.',
    weight: 2400,
    properties: { material: 'brass', maker: 'Lindqvist' },
  }),
  goods('CLK-3102', 'Deck watch', [42_000, null, 3], {
    type: 'INSTRUMENT',
    categories: ['timekeeping'],
    about:
      'Carries the chronometer’s time to the deck. Rated for six weeks in five positions; the record is in the lid.',
    weight: 310,
    properties: { material: 'steel', maker: 'Lindqvist' },
  }),
  goods('WEA-3201', 'Aneroid barometer', [12_900, 14_900, 15], {
    type: 'INSTRUMENT',
    categories: ['weather'],
    about: 'Tap it and see where the hand goes: what it shows matters less than whether it falls.',
    weight: 980,
    properties: { material: 'brass', maker: 'Harrow & Sons' },
  }),
  goods('WEA-3202', 'Pocket anemometer', [4450, null, 28], {
    type: 'INSTRUMENT',
    categories: ['weather'],
    about: 'Three cups, no battery. Shows the strongest gust of the last minute next to the mean.',
    weight: 95,
    properties: { material: 'plastic', maker: 'Polaris Works' },
  }),
];

export const charts: readonly SampleProduct[] = [
  goods('MAP-4001', 'Chart of the Lesser Skerries', [3200, null, 18], {
    type: 'CHART',
    categories: ['charts'],
    about: 'Surveyed in open boats over three summers. Rocks that were only heard are marked with a question mark.',
    weight: 120,
    properties: { scale: '1:50,000', material: 'paper' },
  }),
  goods('MAP-4002', 'Chart of Fiddler’s Bay', [3200, 3600, 0], {
    type: 'CHART',
    categories: ['charts'],
    about: 'The harbor, the bar in front of it, and the three leading marks. A new edition is being printed.',
    weight: 120,
    properties: { scale: '1:12,500', material: 'paper' },
  }),
  goods('MAP-4003', 'Northern Approaches, in six sheets', [11_400, null, 7], {
    type: 'CHART',
    categories: ['charts'],
    about: 'From the banks to the ice edge. With tidal streams for each hour before and after high water.',
    weight: 760,
    properties: { scale: '1:200,000', material: 'paper' },
  }),
  goods('MAP-4004', 'Star chart, northern sky', [1590, null, 64], {
    type: 'CHART',
    categories: ['charts'],
    about: 'The 57 stars of the almanac and their neighbors. Printed in red, for red light.',
    weight: 90,
    properties: { scale: '1:1', material: 'plastic' },
  }),
];

export const books: readonly SampleProduct[] = [
  goods('BK-5001', 'A Ship That Kept Its Log', [1890, 2490, 33], {
    type: 'BOOK',
    categories: ['voyages'],
    about: 'Forty years of one small freighter, told only from what her mates wrote down at noon.',
    weight: 480,
    properties: { author: 'Mara Lind', binding: 'hardcover' },
  }),
  goods('BK-5002', 'Sights in the Garden', [1490, null, 41], {
    type: 'BOOK',
    categories: ['handbooks'],
    about: 'Celestial navigation for people who have no boat. Thirty evenings, from the first altitude to a fix.',
    weight: 350,
    properties: { author: 'Tomas Hale', binding: 'paperback' },
  }),
  goods('BK-5003', 'The Tide Tables Nobody Printed', [2290, null, 19], {
    type: 'BOOK',
    categories: ['handbooks'],
    about: 'How harmonic constants are found, and how to predict the water at your own landing stage.',
    weight: 410,
    properties: { author: 'Ines Caro', binding: 'paperback' },
  }),
  goods('BK-5004', 'Slow Boats', [1290, 1690, 27], {
    type: 'BOOK',
    categories: ['voyages'],
    about: 'Eleven journeys on ferries that are no longer in the timetable.',
    weight: 290,
    properties: { author: 'Piet van Aalst', binding: 'paperback' },
  }),
  goods('BK-5005', 'Knots You Will Use', [990, null, 88], {
    type: 'BOOK',
    categories: ['handbooks'],
    about: 'Seven of them. The rest of the book is about when to cut the rope.',
    weight: 160,
    properties: { author: 'Wanda Kosk', binding: 'spiral' },
  }),
  goods('BK-5006', 'The Weather Window', [1990, null, 22], {
    type: 'BOOK',
    categories: ['handbooks'],
    about: 'Reading the sky, the glass and the forecast, in this order. With a calendar of misses by the author.',
    weight: 370,
    properties: { author: 'Lena Frost', binding: 'hardcover' },
  }),
  goods('BK-5007', 'Letters from the Lightship', [1690, null, 13], {
    type: 'BOOK',
    categories: ['voyages'],
    about: 'A year at anchor, in letters that went ashore whenever the supply boat could.',
    weight: 300,
    properties: { author: 'Aiko Mori', binding: 'hardcover' },
  }),
];
