import { describe, expect, it } from 'vitest';
import { findGrowth } from '../../../src/models/analytics/log-growth/log-growth.js';
import { useDatabase } from '../../support/database.js';
import { addPerson, beginTestSession } from '../../support/people.js';
import { useServer } from '../../support/server.js';

const database = useDatabase();
const server = useServer(database);

const GROWTH = `strategy changingTo retention { maxBytes maxAge collections }
  collections { name database strategy isActive events oldest newest bytes since dropsAt }`;
const READ = `{ logGrowth { ${GROWTH} } }`;
const CHANGE = `mutation ($input: LogGrowthInput!) {
  changeLogGrowth(input: $input) { __typename ... on LogGrowth { ${GROWTH} } ... on LogGrowthBusy { message growth { ${GROWTH} } } }
}`;
const PLAN = `query ($input: LogGrowthInput!) {
  logGrowthPlan(input: $input) { steps eventsOutside keptFrom newCollection }
}`;
const FOLLOW = `subscription ($after: String) { logGrowthChanged(after: $after) { cursor reset growth { ${GROWTH} } } }`;
const RECORD = `mutation ($events: [LogEventInput!]!) { recordEvents(events: $events) { inserted } }`;

const text = expect.any(String);
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
const event = () => ({
  site: 'example.org',
  time: new Date().toISOString(),
  host: '192.0.2.1',
  path: '/',
  status: 200,
});
const active = {
  isActive: true,
  events: 0,
  oldest: null,
  newest: null,
  bytes: expect.any(Number),
  since: time,
  dropsAt: null,
};

interface Change {
  readonly logGrowthChanged: {
    readonly cursor: string;
    readonly reset: boolean;
    readonly growth: { strategy: string };
  };
}

describe('the growth of the log, through the API', () => {
  it('is read, planned, changed, and followed', async () => {
    expect(await server.request(RECORD, { events: [event(), event()] })).toMatchObject({
      data: { recordEvents: { inserted: 2 } },
    });
    const { data } = await server.request(READ);
    const before = {
      name: 'log.events',
      database: database.db.databaseName,
      strategy: 'UNBOUNDED',
      isActive: true,
      events: 2,
      oldest: time,
      newest: time,
      bytes: expect.any(Number),
      since: time,
      dropsAt: null,
    };
    expect(data).toEqual({
      logGrowth: {
        strategy: 'UNBOUNDED',
        changingTo: null,
        retention: { maxBytes: null, maxAge: null, collections: null },
        collections: [before],
      },
    });
    const input = { strategy: 'ROTATED_COLLECTIONS', maxAge: 'P30D', collections: 4 };
    expect(await server.request(PLAN, { input })).toMatchObject({
      data: {
        logGrowthPlan: {
          steps: expect.arrayContaining([text]),
          eventsOutside: 0,
          keptFrom: time,
          newCollection: 'log.events_2',
        },
      },
    });
    const events = server.connect().iterate<Change>({ query: FOLLOW, variables: {} });
    const next = async () => (await events.next()).value?.data?.logGrowthChanged;
    expect(await next()).toMatchObject({ reset: false, growth: { strategy: 'UNBOUNDED' } });
    const changed = await server.request(CHANGE, { input });
    expect(changed).toMatchObject({
      data: {
        changeLogGrowth: {
          __typename: 'LogGrowth',
          strategy: 'ROTATED_COLLECTIONS',
          retention: { maxBytes: null, maxAge: 'P30D', collections: 4 },
          collections: [
            { name: 'log.events_2', ...active },
            { ...before, isActive: false, dropsAt: time },
          ],
        },
      },
      extensions: { writtenAt: text },
    });
    let told = await next();
    while (told?.growth.strategy !== 'ROTATED_COLLECTIONS') told = await next(); // first, it is announced as `changingTo`
    expect(told).toMatchObject({
      reset: false,
      growth: { changingTo: null, collections: [{ name: 'log.events_2' }, { name: 'log.events' }] },
    });
    await events.return?.();
  });

  it.each(['ROTATED_DATABASES', 'TIME_SERIES'])('returns the time of a write with %s', async (strategy) => {
    const limits = strategy === 'TIME_SERIES' ? {} : { maxAge: 'P30D', collections: 4 };
    await server.request(CHANGE, { input: { strategy, ...limits } });
    await server.request(RECORD, { events: [event()] }); // lists the site
    const again = await server.request(RECORD, { events: [event()] });
    expect(again).toMatchObject({ data: { recordEvents: { inserted: 1 } }, extensions: { writtenAt: text } });
  });

  it('reports the field of an invalid limit, and changes nothing', async () => {
    const before = await findGrowth(database.db);
    const { errors } = await server.request(CHANGE, { input: { strategy: 'CAPPED', maxAge: 'P30D' } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'input.maxBytes' } }]);
    expect(await findGrowth(database.db)).toEqual(before);
  });

  it('can be read by editors, but neither planned nor changed', async () => {
    const user = await addPerson(database.db, 'edith', ['EDITOR']);
    const { token } = await beginTestSession(database.db, server.services.config, user);
    const found = await findGrowth(database.db);
    expect((await server.request(READ, {}, token)).data).toMatchObject({ logGrowth: { changingTo: null } });
    for (const query of [PLAN, CHANGE]) {
      const { errors } = await server.request(query, { input: { strategy: 'UNBOUNDED' } }, token);
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    }
    expect(await findGrowth(database.db)).toEqual(found);
  });

  it('cannot be read, planned or changed by visitors', async () => {
    for (const query of [READ, PLAN, CHANGE]) {
      const { errors } = await server.request(query, { input: { strategy: 'UNBOUNDED' } }, null);
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    }
  });
});
