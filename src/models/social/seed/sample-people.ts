/** The people of the sample network, with their circles: they like boats, and to know where they are. All of them are invented. */
import type { DrawingName } from '../../system/sample-pictures/drawing.js';

export const SAMPLE_KEYS = ['elin', 'tomas', 'maren', 'idris', 'oona', 'jonas', 'leila', 'kofi'] as const;
export type SampleKey = (typeof SAMPLE_KEYS)[number];

export interface SamplePerson {
  readonly name: string;
  readonly about: string;
  readonly place: string;
  readonly interests: readonly string[];
  /** The signal flag of the first letter. */
  readonly portrait: DrawingName;
  readonly circles: Readonly<Record<string, readonly SampleKey[]>>;
}

export const samplePeople: Readonly<Record<SampleKey, SamplePerson>> = {
  elin: {
    name: 'Elin Halvorsen',
    about: 'Repairs sextants, clocks and now and then an accordion. Writes when the boat is ashore.',
    place: 'Bergen',
    interests: ['instruments', 'stars', 'rowing'],
    portrait: 'echo',
    circles: { Crew: ['tomas', 'maren', 'oona'], Workshop: ['maren', 'leila'] },
  },
  tomas: {
    name: 'Tomas Reed',
    about: 'Reads old logbooks, so that you do not have to. Ties knots while he is on the telephone.',
    place: 'Falmouth',
    interests: ['logbooks', 'knots', 'fog'],
    portrait: 'tango',
    circles: { Readers: ['elin', 'idris', 'leila'], Friends: ['oona', 'kofi'] },
  },
  maren: {
    name: 'Maren Quist',
    about: 'Builds wooden boats, one at a time. Number eleven is on the slip.',
    place: 'Svendborg',
    interests: ['oak', 'varnish', 'rye bread'],
    portrait: 'mike',
    circles: { Shipyard: ['elin', 'jonas'], Friends: ['tomas', 'kofi'] },
  },
  idris: {
    name: 'Idris Bello',
    about: 'Teaches navigation. The best of my students correct me, and they are right.',
    place: 'Lagos',
    interests: ['tides', 'teaching', 'chess'],
    portrait: 'india',
    circles: { Teachers: ['kofi', 'leila', 'elin'], Chess: ['tomas'] },
  },
  oona: {
    name: 'Oona Laine',
    about: 'Draws lighthouses, and listens to the people who used to look after them.',
    place: 'Turku',
    interests: ['lighthouses', 'drawing', 'strong coffee'],
    portrait: 'oscar',
    circles: { Friends: ['elin', 'tomas', 'jonas'], Lighthouses: ['leila'] },
  },
  jonas: {
    name: 'Jonas Petrov',
    about: 'Cook on a research ship. Away from March to October; answers come when the satellite does.',
    place: 'Varna',
    interests: ['soup', 'weather', 'seabirds'],
    portrait: 'juliett',
    circles: { 'At sea': ['maren', 'oona', 'idris'] },
  },
  leila: {
    name: 'Leila Haddad',
    about: 'Draws charts for people who read charts.',
    place: 'Beirut',
    interests: ['charts', 'languages', 'swimming'],
    portrait: 'lima',
    circles: { Colleagues: ['idris', 'elin'], Swimmers: ['oona', 'kofi'] },
  },
  kofi: {
    name: 'Kofi Mensah',
    about: 'Sails with twelve children and one cat. The cat is the captain.',
    place: 'Accra',
    interests: ['dinghies', 'drums', 'knots'],
    portrait: 'kilo',
    circles: { Club: ['idris', 'maren', 'tomas'] },
  },
};
