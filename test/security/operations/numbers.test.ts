/** Sends invalid values to every number and time input of the schema. Nothing changes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { useDatabase } from '../../support/database.js';
import { type Answer, useServer } from '../../support/server.js';
import { prepareSamples, samples } from './samples.js';
import { callsOf, numberPlacesOf, placesOf, type ValuePlace } from './schema-walk.js';
import { changesOf } from './unchanged.js';

const database = useDatabase({ checked: false });
const server = useServer(database);

/** JSON numbers: 1e400 exceeds a double, and arrives as infinity. */
const noNumbers = ['2147483648.5', '1.5', '1e308', '1e400', '-1e400', '"1"', '"NaN"', 'true', '[[1]]', '{"$gt":0}'];
const noFloats = noNumbers.filter((text) => !/^[\d.e]+$/.test(text) || text === '1e400');
const notInInt = ['2147483648', '-2147483649'];
const notInSafeInt = ['9007199254740992', '-1'];
const noMoments = [
  '"2015-02-30T00:00:00Z"',
  '"2015-01-01T25:00:00Z"',
  '"9999-01-01T00:00:00Z"',
  '"+275760-09-13T00:00:00Z"',
  '"-000001-01-01T00:00:00Z"',
  '"1969-12-31T23:59:59Z"',
  '"2015-01-01"',
  '"now"',
  '1420070400000',
];

const wrongFor = ({ type }: ValuePlace): readonly string[] => {
  if (type === 'DateTime') return noMoments;
  if (type === 'Int') return [...noNumbers, ...notInInt];
  if (type === 'Float') return noFloats;
  return type === 'SafeInt' ? [...noNumbers, ...notInSafeInt] : [];
};

const calls = callsOf(makeSchema(), samples);
const places = calls.flatMap((call) =>
  placesOf(call, samples)
    .map((place) => ({ call, place, wrong: wrongFor(place), name: `${call.name} ${place.path.join('.')}` }))
    .filter(({ wrong }) => wrong.length > 0),
);

describe('an invalid number or time', () => {
  beforeAll(() => prepareSamples(server));

  it.each(places.map((each) => [each.name, each] as const))(
    'is rejected in %s',
    async (_name, { call, place, wrong }) => {
      const mark = 'the value';
      const changes = await changesOf(database.db, async () => {
        for (const value of wrong) {
          const body = JSON.stringify({ query: call.query, variables: place.with(mark) }).replace(`"${mark}"`, value);
          // Subscriptions are sent over an event stream: the error is its first event.
          const path = call.root === 'subscription' ? '/graphql/stream' : '/graphql';
          const response = await fetch(server.url + path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
            body,
          });
          const text = await response.text();
          const [, event = text] = /event: next\ndata: (.*)\n/.exec(text) ?? [];
          const { data, errors } = JSON.parse(event) as Answer;
          // A number that is far too large exceeds a limit before its validity is checked.
          const code = expect.stringMatching(/^(BAD_USER_INPUT|LIMIT_EXCEEDED)$/);
          expect({ value, data, code: errors?.[0]?.extensions.code }).toEqual({ value, data: undefined, code });
        }
      });
      expect(changes).toEqual([]);
    },
  );

  it('is tried in every place', () => {
    const names = places.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'Query.events first',
        'Query.events filter.range.from',
        'Mutation.addToCart quantity',
        'Mutation.recordHits hits.at',
        'Subscription.topPagesChanged first',
      ]),
    );
    const numbers = calls.flatMap((call) => numberPlacesOf(call, samples));
    expect(numbers.filter((place) => wrongFor(place).length === 0).map(({ type }) => type)).toEqual([]);
  });
});
