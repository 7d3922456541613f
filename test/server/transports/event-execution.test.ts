import { makeExecutableSchema } from '@graphql-tools/schema';
import fc from 'fast-check';
import { type GraphQLSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/server/context/context.js';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { executeOnEvent } from '../../../src/server/transports/event-execution.js';
import type { Execution } from '../../../src/server/transports/execution.js';

const OFTEN = 150;

const toy = makeExecutableSchema({
  typeDefs: `
    scalar Upper
    type Query { none: Int }
    type Subscription { changed(site: String!): Change! }
    interface Named { name: String! }
    union Change = Page | Gone
    type Page implements Named { name: String!  shout(times: Int = 1): Upper  later: Int!  parts: [Page]  failing: String  required: String! }
    type Gone implements Named { name: String! }`,
  resolvers: {
    Upper: { serialize: (value: unknown) => String(value).toUpperCase() },
    Subscription: { changed: { resolve: (event: { value: unknown }) => event.value } },
    Named: { __resolveType: ({ __typename }: { __typename: string }) => __typename },
    Change: { __resolveType: ({ __typename }: { __typename: string }) => __typename },
    Page: {
      shout: ({ name }: { name: string }, { times }: { times: number }) => name.repeat(times),
      later: async ({ name }: { name: string }) => name.length,
      failing: ({ name }: { name: string }) => {
        throw new Error(`${name} fails`);
      },
    },
  },
});

function execution(schema: GraphQLSchema, query: string, variableValues: Record<string, unknown> = {}): Execution {
  const contextValue = { writtenAt: () => undefined } as unknown as Context;
  return { schema, document: parse(query), operationName: null, variableValues, contextValue } as Execution;
}

/** Runs it until it is compiled. @returns the compiled execution */
async function compiled(one: Execution, event: object): Promise<Execution> {
  for (let run = 0; run < OFTEN; run += 1) await executeOnEvent(one, event);
  await import('graphql-jit');
  await new Promise(setImmediate);
  return one;
}

const page = fc.letrec((tie) => ({
  page: fc.record({
    __typename: fc.constant('Page'),
    name: fc.string(),
    required: fc.oneof({ weight: 5, arbitrary: fc.string() }, { weight: 1, arbitrary: fc.constant(null) }),
    parts: fc.oneof(
      { maxDepth: 2 },
      fc.constant(null),
      fc.array(fc.oneof(fc.constant(null), tie('page')), { maxLength: 3 }),
    ),
  }),
})).page;
const change = fc.oneof(page, fc.record({ __typename: fc.constant('Gone'), name: fc.string() }));

const SELECTIONS = [
  '{ changed(site: $site) { __typename ... on Page { name parts { name required } } ... on Gone { gone: name } } }',
  '{ changed(site: $site) { ... on Named { name } ...P } } fragment P on Page { shout(times: $times) name parts { shout } }',
  '{ changed(site: $site) { ... on Page { later name @skip(if: $short) parts { later } } } }',
  '{ changed(site: $site) { ... on Page { name failing parts { failing } } } }',
];

describe('a frequently run subscription', () => {
  it.each(SELECTIONS)('returns the same as graphql-js, including errors: %s', async (selection) => {
    const query = `subscription ($site: String!, $times: Int = 2, $short: Boolean = false) ${selection}`;
    const variables = { site: 'example.org', short: true };
    const ours = await compiled(execution(toy, query, variables), { value: { __typename: 'Gone', name: 'x' } });
    await fc.assert(
      fc.asyncProperty(change, async (value) => {
        const reference = await executeOnEvent(execution(toy, query, variables), { value });
        const result = await executeOnEvent(ours, { value });
        expect(JSON.stringify(result)).toBe(JSON.stringify(reference));
      }),
    );
  });

  it('is compiled, not interpreted', async () => {
    const ways = new Set<boolean>();
    const schema = makeExecutableSchema({
      typeDefs: 'type Query { none: Int } type Subscription { changed: Int }',
      resolvers: {
        Subscription: {
          changed: { resolve: () => ways.add(/graphql\/execution/.test(String(new Error().stack))).size },
        },
      },
    });
    const one = execution(schema, 'subscription { changed }');
    await compiled(one, {});
    ways.clear();
    await executeOnEvent(one, {});
    expect([...ways]).toEqual([false]);
  });

  it('sends the events of a chart as graphql-js does', async () => {
    const query = `subscription LiveHitChart($last: Duration!) {
      hitChartChanged(site: "example.org", page: "/", last: $last, unit: MINUTE) {
        __typename cursor reset
        ... on HitChartSnapshot { chart { unit total points { at count } } }
        ... on HitChartChange { points { at count } }
      }
    }`;
    const points = [{ at: new Date('2026-05-04T10:11:00Z'), count: 7 }];
    const event = { kind: 'change', cursor: '6b01a62600000003.x', reset: false, change: points };
    const chart = { unit: 'MINUTE', total: 7, points };
    const snapshot = { kind: 'snapshot', cursor: '6b01a62600000003.x', reset: true, view: chart };
    const schema = makeSchema();
    const ours = await compiled(execution(schema, query, { last: 'PT1H' }), event);
    for (const each of [event, snapshot]) {
      const reference = JSON.stringify(await executeOnEvent(execution(schema, query, { last: 'PT1H' }), each));
      expect(JSON.stringify(await executeOnEvent(ours, each))).toBe(reference);
      expect(reference).toContain('"at":"2026-05-04T10:11:00.000Z","count":7');
    }
  });
});
