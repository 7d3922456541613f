/**
 * Sends typical attack strings to every text input of the schema: to each input a part of them, chosen at random. SEED repeats a choice,
 * HOSTILE_TEXTS=100 sends all.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chooseSeed, makeRandom } from '../../../harness/random.js';
import { locations } from '../../../src/models/game/world/location.js';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { errorCodes } from '../../../src/shared/errors.js';
import { useDatabase } from '../../support/database.js';
import { openReadySocket, type RawSocket } from '../../support/raw-socket.js';
import { type Answer, useServer } from '../../support/server.js';
import { prepareSamples, samples } from './samples.js';
import { type Call, callsOf, textPlacesOf } from './schema-walk.js';
import { ChangeWatch } from './unchanged.js';

const database = useDatabase({ checked: false });
const server = useServer(database);

const hostileTexts: Readonly<Record<string, string>> = {
  'an operator as JSON': '{"$gt":""}',
  'a script as JSON': '{"$where":"while(true){}"}',
  'an operator': '$where',
  'a MongoDB variable': '$$ROOT',
  'a field path': 'a.b.c',
  'a field path with an operator': 'a.$[].b',
  nothing: '',
  'a space': ' ',
  'a NUL character': '\u0000',
  'a NUL character inside': 'a\u0000b',
  'a prototype': '__proto__',
  'a constructor': 'constructor',
  'a regular expression': '.*',
  'a catastrophic regular expression': '(a+)+$',
  'an incomplete regular expression': '[',
  'a file path': '../../../../etc/passwd',
  SQL: "' OR 1=1; --",
  'a script': '<script>alert(1)</script>',
  'a template': '{{7*7}}<%= 7*7 %>',
  'a header': 'a\r\nset-cookie: a=b',
  'direction overrides': '\u202e\u2066',
  'a number out of range': '9'.repeat(400),
  'a date out of range': '99999-99-99T99:99:99Z',
  '100 kB': 'x'.repeat(100_000),
  '100 kB of four bytes each': '\u{1f600}'.repeat(25_000),
};
const wrongValues: Readonly<Record<string, unknown>> = {
  'an operator': { $gt: '' },
  'a script': { $where: 'true' },
  'an object in a list': [{ $ne: null }],
  'a number': 1.5,
  'an object that overrides a method': { toString: 'x' },
};

const TEXTS = Number(process.env.HOSTILE_TEXTS ?? 8);
const random = makeRandom(chooseSeed('injection'));

/** Of all texts, from a random one on. */
function someTexts(): [string, string][] {
  const all = Object.entries(hostileTexts);
  const from = random.below(all.length);
  return [...all.slice(from), ...all.slice(0, from)].slice(0, TEXTS);
}

const calls = callsOf(makeSchema(), samples);

const codesOf = ({ errors = [] }: Answer): string[] => errors.map(({ extensions }) => extensions.code);
/** The allowed outcomes of a hostile text: anything else is an internal error, or an injection. */
const expected = new Set(
  Object.keys(errorCodes).filter((code) => !['INTERNAL_SERVER_ERROR', 'IDEMPOTENCY_KEY_REUSED'].includes(code)),
);

describe('a hostile text', () => {
  let socket: RawSocket;
  let subscriptions = 0;
  beforeAll(async () => {
    await prepareSamples(server);
    socket = await openReadySocket(server.url, server.token);
  });
  afterAll(() => socket.socket.terminate());

  const overHttp = async ({ query }: Call, variables: object): Promise<Answer> => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ query, variables }),
    });
    expect(response.status).toBeLessThan(500);
    return (await response.json()) as Answer;
  };
  /** The first event of a subscription. */
  const overSocket = async ({ query }: Call, variables: object): Promise<Answer> => {
    subscriptions += 1;
    const id = String(subscriptions);
    socket.send({ id, type: 'subscribe', payload: { query, variables } });
    let message = await socket.next();
    while (message.id !== id) message = await socket.next();
    socket.send({ id, type: 'complete' });
    return message.type === 'error' ? { errors: message.payload as never } : (message.payload as Answer);
  };
  const send = (call: Call, variables: object) =>
    call.root === 'subscription' ? overSocket(call, variables) : overHttp(call, variables);

  /** The lease of a work is given back after its end, and copies of a changed room follow its change. */
  const workEnds = () =>
    vi.waitFor(async () => {
      const held = { _id: /^work/, $expr: { $gt: ['$expires_at', '$$NOW'] } };
      expect(await database.db.collection('work').countDocuments({ open: true })).toBe(0);
      expect(await locations(database.db).countDocuments({ uncopied_since: { $exists: true } })).toBe(0);
      expect(await database.db.collection<{ _id: string }>('leases').countDocuments(held)).toBe(0);
    }, 20_000);

  it.each(calls.map((call) => [call.name, call] as const))('does no harm in %s', async (_name, call) => {
    const watch = new ChangeWatch(database.db);
    for (const place of textPlacesOf(call, samples)) {
      for (const [name, text] of [...someTexts(), ...Object.entries(wrongValues)]) {
        await watch.begin();
        const answer = await send(call, place.with(text));
        const what = `${call.name}, ${place.path.join('.')}: ${name}`;
        const codes = codesOf(answer);
        expect({ what, codes: codes.filter((code) => !expected.has(code)) }).toEqual({ what, codes: [] });
        if (codes.length > 0) expect({ what, changes: await watch.changes() }).toEqual({ what, changes: [] });
        else if (call.root === 'mutation') await workEnds(); // started by this call: it would change what the next one must not
        if (typeof text === 'object') expect({ what, codes }).toEqual({ what, codes: [expect.any(String)] });
      }
    }
  });

  it('would be noticed by what it changes, in a transaction as well', async () => {
    const watch = new ChangeWatch(database.db);
    const traps = database.db.collection<{ _id: number }>('traps');
    await traps.insertOne({ _id: 1 });
    await watch.begin();
    await traps.insertOne({ _id: 2 });
    expect(await watch.changes()).toEqual(['traps']);
    await database.client.withSession((session) =>
      session.withTransaction(() => traps.insertOne({ _id: 3 }, { session })),
    );
    expect(await watch.changes()).toEqual(['traps']);
    expect(await watch.changes()).toEqual([]);
  });

  it('is tried in every place', () => {
    const places = calls.flatMap((call) =>
      textPlacesOf(call, samples).map(({ path }) => `${call.name} ${path.join('.')}`),
    );
    expect(places).toEqual(
      expect.arrayContaining([
        'Query.events filter.path',
        'Query.events filter.range.from',
        'Query.node id',
        'Mutation.recordHits hits.page',
        'Mutation.registerSite input.allowedOrigins',
        'Subscription.hitChartChanged after',
      ]),
    );
    expect(places.some((place) => place.endsWith('.rejects after'))).toBe(true);
  });

  it('leaves the administrator unchanged', async () => {
    expect(await server.request('{ viewer { email roles } }')).toEqual({
      data: { viewer: { email: 'admin@example.org', roles: ['ADMIN'] } },
    });
  });
});
