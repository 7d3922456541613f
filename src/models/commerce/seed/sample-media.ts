/** Records and films of the sample catalog. Artists, titles and stories are invented. */
import { album, film, type SampleProduct } from './sample-product.js';

export const albums: readonly SampleProduct[] = [
  album('LP-1001', 'Songs for a Slack Tide', [1990, 2490, 24], {
    artist: 'The Lock Keepers',
    issuedOn: '2014-03-14',
    genres: ['Folk'],
    about: 'Nine songs for the twenty minutes in which the water does not know where to go. Recorded in a boathouse.',
    tracks: {
      'Low Water': 214,
      'The Ferryman’s Daughter': 251,
      'Mud and Silver': 198,
      'Slack Tide': 322,
      Homeward: 187,
    },
  }),
  album('LP-1002', 'Élégie pour un phare', [2190, null, 11], {
    artist: 'Ondine Kerval',
    issuedOn: '2019-10-04',
    genres: ['Folk'],
    about: 'A voice, a harmonium, and a lighthouse that was switched off in the year in which the record was made.',
    tracks: { Ouverture: 96, 'Le gardien': 243, 'Feu blanc, feu rouge': 275, 'La dernière nuit': 331 },
  }),
  album('LP-1003', 'Night Watch', [2290, null, 32], {
    artist: 'Jonas Veld',
    issuedOn: '2021-01-22',
    genres: ['Electronic'],
    about: 'From midnight to four, one piece for each half hour. The eight bells at the end are real.',
    tracks: { 'One Bell': 301, 'Two Bells': 288, 'Three Bells': 342, 'Four Bells': 317, 'Eight Bells': 404 },
  }),
  album('LP-1004', 'Distant Weather', [1790, 2190, 40], {
    artist: 'Mara Lind Trio',
    issuedOn: '2012-09-07',
    genres: ['Jazz'],
    about: 'Piano, bass and brushes. Two takes of each piece were made and the quieter one was kept.',
    tracks: { 'Falling Slowly, 998': 376, 'Veering North': 412, 'Rain at First': 305, 'Good, Occasionally Poor': 448 },
  }),
  album('LP-1005', 'Amber Almanac', [1890, null, 17], {
    artist: 'Tomas Hale',
    issuedOn: '2016-11-18',
    genres: ['Jazz'],
    about: 'Twelve short pieces for clarinet and guitar, one for each month. August is the only slow one.',
    tracks: { January: 142, March: 177, May: 169, August: 288, December: 201 },
  }),
  album('LP-1006', 'Paper Lanterns', [1690, 1990, 8], {
    artist: 'Aiko Mori',
    issuedOn: '2009-06-26',
    genres: ['Folk'],
    about: 'Field recordings of a summer festival on an island, with songs that were learned there.',
    tracks: { 'The Boats Go Out': 233, 'Paper Lanterns': 268, 'Rain on the Awning': 190, 'The Boats Come Home': 241 },
  }),
  album('LP-1007', 'Carrier Wave', [2090, null, 26], {
    artist: 'Coast Station',
    issuedOn: '2023-05-12',
    genres: ['Electronic'],
    about: 'Made from the noise between short-wave stations. Loud speakers help, neighbors may not.',
    tracks: { 'Calling Frequency': 264, Skip: 329, 'The Numbers Lady': 287, 'Off the Air': 512 },
  }),
  album('LP-1008', 'Harbor Songs', [1490, null, 53], {
    artist: 'The Lock Keepers',
    issuedOn: '2010-04-30',
    genres: ['Folk'],
    about: 'Their first record: seven work songs and a ballad that all of them claim to have written.',
    tracks: { 'Haul Away the Morning': 156, 'Rope and Tar': 204, 'Six Men Short': 311, 'Harbor Song': 229 },
  }),
];

export const films: readonly SampleProduct[] = [
  film('DVD-2001', 'The Longitude Prize', [999, 1999, 21], {
    issuedOn: '2008-09-19',
    genres: ['Drama'],
    directors: ['Ines Caro'],
    writers: ['Ines Caro', 'Piet van Aalst'],
    actors: ['Hugh Marlowe-Finch', 'Dora Sands'],
    aspectRatio: '1.85:1',
    about: 'A carpenter builds a clock that must not lose three seconds a day, and loses nearly everything else.',
  }),
  film('DVD-2002', 'Dead Reckoning', [1290, null, 14], {
    issuedOn: '2015-02-06',
    genres: ['Thriller'],
    directors: ['Samir Oduya'],
    writers: ['Lena Frost'],
    actors: ['Dora Sands', 'Emil Strand'],
    aspectRatio: '2.39:1',
    about: 'A cargo ship, no radio, and two officers who have entered different positions in the same log.',
  }),
  film('DVD-2003', 'A Year of Fog', [1490, null, 9], {
    issuedOn: '2018-11-02',
    genres: ['Documentary'],
    directors: ['Aiko Mori'],
    writers: ['Aiko Mori'],
    actors: [],
    about: 'A weather observer on an outer skerry, filmed once a day from the same window.',
  }),
  film('DVD-2004', 'Winter Passage', [1190, 1590, 0], {
    issuedOn: '2011-12-09',
    genres: ['Drama'],
    directors: ['Ines Caro'],
    writers: ['Ines Caro'],
    actors: ['Emil Strand', 'Wanda Kosk'],
    aspectRatio: '1.66:1',
    about: 'The last ferry before the ice carries eleven passengers, of whom one does not want to arrive.',
  }),
  film('DVD-2005', 'The Pilot of Fiddler’s Bay', [890, null, 37], {
    issuedOn: '2006-07-28',
    genres: ['Comedy'],
    directors: ['Samir Oduya'],
    writers: ['Samir Oduya', 'Lena Frost'],
    actors: ['Wanda Kosk', 'Hugh Marlowe-Finch'],
    aspectRatio: '1.85:1',
    about: 'He has brought in every ship for forty years. Nobody has told him that the harbor is closed.',
  }),
];
