import { makeExecutableSchema } from '@graphql-tools/schema';
import type { FastifyBaseLogger } from 'fastify';
import { parse } from 'graphql';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/server/context/context.js';
import { visitor } from '../../../src/server/identity/viewer.js';
import type { Execution } from '../../../src/server/transports/execution.js';
import { Cohorts } from '../../../src/server/transports/shared-subscription.js';

let executions = 0;
const schema = makeExecutableSchema({
  typeDefs: `type Query { none: Int } type Subscription { counted(page: String!, after: String): Counted! } type Counted { count(as: String): Int! }`,
  resolvers: {
    Subscription: {
      counted: {
        resolve: (event: { count: number }) => {
          executions += 1;
          return event;
        },
      },
    },
  },
});
const log = pino({ level: 'silent' }) as unknown as FastifyBaseLogger;
const text = 'subscription Counted($page: String!, $after: String) { counted(page: $page, after: $after) { count } }';

function execution(
  variableValues: Record<string, unknown>,
  { viewer = visitor, query = text }: { viewer?: Context['viewer']; query?: string } = {},
): Execution {
  const contextValue = { viewer, writtenAt: () => undefined } as unknown as Context;
  return {
    schema,
    document: parse(query),
    bytes: 0,
    text: query,
    operationName: 'Counted',
    cost: 0,
    variableValues,
    contextValue,
  };
}

describe('identical subscriptions', () => {
  it('share one execution and one serialization per event', async () => {
    const cohorts = new Cohorts(log);
    const first = cohorts.join(execution({ page: '/' }));
    const second = cohorts.join(execution({ page: '/' }));
    const event = { count: 3 };
    executions = 0;
    const payloads = await Promise.all([first.payloadOf(event), second.payloadOf(event)]);
    expect(payloads.map(String)).toEqual(Array(2).fill('{"data":{"counted":{"count":3}}}'));
    expect(executions).toBe(1);
    expect(payloads[0]).toBe(payloads[1]);
  });

  it('are shared even when they resume at different positions', () => {
    const cohorts = new Cohorts(log);
    const fresh = cohorts.join(execution({ page: '/' }));
    expect(cohorts.join(execution({ page: '/', after: 'a cursor' }))).toBe(fresh);
  });

  it.each([
    ['other variables', execution({ page: '/other' })],
    ['another text', execution({ page: '/' }, { query: `${text} ` })],
    ['another viewer', execution({ page: '/' }, { viewer: { ...visitor, id: 'ann' } })],
  ])('are distinguished by %s', (_case, other) => {
    const cohorts = new Cohorts(log);
    const one = cohorts.join(execution({ page: '/' }));
    expect(cohorts.join(other)).not.toBe(one);
  });

  it('are distinguished by their cursor if the response depends on it', () => {
    const query = text.replace('count }', 'count(as: $after) }');
    const cohorts = new Cohorts(log);
    const one = cohorts.join(execution({ page: '/', after: 'one' }, { query }));
    expect(cohorts.join(execution({ page: '/', after: 'two' }, { query }))).not.toBe(one);
  });

  it('leave nothing behind when the last one has left', () => {
    const cohorts = new Cohorts(log);
    const first = cohorts.join(execution({ page: '/' }));
    first.leave();
    expect(cohorts.join(execution({ page: '/' }))).not.toBe(first);
  });
});
