/** 200 players in one room: how long it takes until the last one sees an act, and what a message costs. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import { cpuMicros } from '../../harness/process-usage.js';
import { buildIndexes } from '../../src/database/index.js';
import { locations, PLAYERS_MAX } from '../../src/models/game/world/location.js';
import { signInAll } from '../social/online-readers.js';
import type { Benchmark, Findings, Surroundings } from '../support/benchmark.js';
import { type Contestant, floorContestant, productContestant } from '../support/contestants.js';
import { databaseMicros } from '../support/database-cpu.js';
import { percentile, Rounds } from '../support/measure.js';
import { format, roundsOf } from '../support/report.js';
import { ActingCrowd, type ActingPlayer } from './acting.js';
import { Crowd } from './crowd.js';
import {
  entriesOf,
  finishRoom,
  makeCharacter,
  makeItem,
  makeRoom,
  ownerOf,
  personName,
  storeWorld,
} from './many-rooms.js';

const EVERY_MS = 2000;
const SECONDS = 20;
const WARM_SECONDS = 6;
const HAPPENED = 100;
const HALL = 'hall';
const contestants = ['product', 'floor'] as const;
type Name = (typeof contestants)[number];

const headings = {
  p50: 'ms until the last one has it, p50',
  p99: 'p99',
  answer: 'ms until the answer, p50',
  messages: 'messages per player and second',
  happenings: 'happenings per message',
  bytes: 'kB per message',
  server: 'CPU µs per message, server',
  database: 'database',
  lost: 'happenings lost',
  refused: 'acts sent again',
} as const;
type Figure = keyof typeof headings;
type Figures = Readonly<Record<Figure, number>>;

export const room: Benchmark = {
  name: 'game-room',
  title: '200 players in one room of a game',
  async run(surroundings) {
    const rounds = Object.fromEntries(Object.keys(headings).map((name) => [name, new Rounds()])) as Record<
      Figure,
      Rounds
    >;
    for (let round = 1; round <= surroundings.rounds; round += 1) {
      const product = await measure('product', surroundings, null);
      add(rounds, 'product', product);
      if (isWanted('floor', surroundings)) add(rounds, 'floor', await measure('floor', surroundings, product));
      surroundings.log(`round ${round} done`);
    }
    return report(rounds, surroundings.rounds);
  },
};

const isWanted = (name: Name, { only }: Surroundings): boolean => only?.includes(name) ?? true;

function add(rounds: Readonly<Record<Figure, Rounds>>, name: Name, figures: Figures): void {
  for (const [figure, value] of Object.entries(figures) as [Figure, number][]) rounds[figure].add(name, value);
}

/** @param like the floor sends as many messages, of as many bytes */
async function measure(
  name: Name,
  { mongodbUri, scale, nodeOptions }: Surroundings,
  like: Figures | null,
): Promise<Figures> {
  const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
  const client = await MongoClient.connect(mongodbUri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const db = client.db(place.database);
  let contestant: Contestant | null = null;
  try {
    await buildIndexes(db);
    const players = await storeHall(db, name === 'product');
    const bytes = Math.round((like?.bytes ?? 0) * 1000);
    contestant =
      name === 'product'
        ? await productContestant(place, nodeOptions)
        : await floorContestant('rooms', place, { MESSAGE_BYTES: String(bytes) });
    const seconds = Math.max(4, SECONDS * scale);
    return like
      ? await broadcast(db, contestant, players, { seconds, perSecond: like.messages })
      : await play(db, contestant, players, seconds);
  } finally {
    await contestant?.stop();
    await db.dropDatabase();
    await client.close();
  }
}

async function storeHall(db: Db, withAccounts: boolean): Promise<ActingPlayer[]> {
  const numbers = Array.from({ length: PLAYERS_MAX }, (_, number) => number);
  const items = numbers.map((number) => makeItem(`item-${number}`));
  const hall = makeRoom(HALL, { inventory: entriesOf(items), happened: HAPPENED });
  const characters = numbers.map((number) => makeCharacter(personName(number), hall, {}));
  finishRoom(hall, characters);
  await storeWorld(db, { locations: [hall], items, characters });
  const owners = characters.map(({ _id }) => ownerOf(_id));
  const tokens = withAccounts ? await signInAll(db, owners) : owners.map(() => null);
  return characters.map(({ _id, name }, at) => ({
    character: _id,
    name,
    item: items[at]?._id ?? '',
    token: tokens[at] ?? null,
  }));
}

async function play(
  db: Db,
  contestant: Contestant,
  players: readonly ActingPlayer[],
  seconds: number,
): Promise<Figures> {
  const acting = new ActingCrowd(contestant, players);
  const crowd = new Crowd(acting.seen);
  try {
    await crowd.connect(contestant, players);
    await pause(2000); // those who came last are shown as online
    const perSecond = players.length / (EVERY_MS / 1000);
    const run = async (count: number) => {
      crowd.begin();
      acting.begin();
      await acting.act(count, EVERY_MS);
      await crowd.whole(count);
    };
    await run(WARM_SECONDS * perSecond);
    const count = Math.round(seconds * perSecond);
    const cost = await costOf(db, contestant, () => run(count));
    return figuresOf(crowd, {
      players: players.length,
      count,
      sentAt: acting.sentAt,
      ...cost,
      answered: acting.answered,
      refused: acting.refused,
    });
  } finally {
    crowd.end();
  }
}

async function broadcast(
  db: Db,
  contestant: Contestant,
  players: readonly ActingPlayer[],
  { seconds, perSecond }: { readonly seconds: number; readonly perSecond: number },
): Promise<Figures> {
  const crowd = new Crowd();
  try {
    await crowd.connect(contestant, players);
    await locations(db).updateOne({ _id: HALL }, { $set: { happened: 0 } });
    const count = Math.max(2, Math.round(seconds * perSecond));
    const sentAt: number[] = [];
    const answered: number[] = [];
    const run = async () => {
      const begun = performance.now();
      for (let at = 0; at < count; at += 1) {
        await pause(Math.max(0, begun + (at * 1000) / perSecond - performance.now()));
        const sent = performance.now();
        sentAt.push(sent);
        await locations(db).updateOne({ _id: HALL }, { $inc: { happened: 1 } });
        answered.push(performance.now() - sent);
      }
      await crowd.whole(count);
    };
    crowd.begin();
    const cost = await costOf(db, contestant, run);
    return figuresOf(crowd, { players: players.length, count, sentAt, answered, refused: 0, ...cost });
  } finally {
    crowd.end();
  }
}

interface Cost {
  readonly seconds: number;
  /** Microseconds. */
  readonly server: number;
  readonly database: number;
}

async function costOf(db: Db, { pid }: Contestant, work: () => Promise<void>): Promise<Cost> {
  const [server, database, begin] = [cpuMicros(pid), await databaseMicros(db), performance.now()];
  await work();
  return {
    seconds: (performance.now() - begin) / 1000,
    server: cpuMicros(pid) - server,
    database: (await databaseMicros(db)) - database,
  };
}

interface Run extends Cost {
  readonly players: number;
  readonly count: number;
  readonly sentAt: readonly number[];
  readonly answered: readonly number[];
  readonly refused: number;
}

function figuresOf(
  crowd: Crowd,
  { players, count, sentAt, answered, refused, seconds, server, database }: Run,
): Figures {
  const { lastAt, messages, bytes, lost } = crowd.arrived;
  const latencies = sentAt.flatMap((sent, place) => (lastAt[place] ?? Number.NaN) - sent);
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    answer: percentile(answered, 0.5),
    messages: messages / players / seconds,
    happenings: (count * players) / messages,
    bytes: bytes / messages / 1000,
    server: server / messages,
    database: database / messages,
    lost,
    refused,
  };
}

function report(figures: Readonly<Record<Figure, Rounds>>, rounds: number): Findings {
  const all = Object.values(figures);
  return {
    verdicts: [
      {
        row: 'p50 from an act to the last of 200 players, each acting every 2 seconds',
        against: '',
        measured: figures.p50.median('product'),
        bound: 'at most',
        goal: 1000,
        unit: ' ms',
      },
      {
        row: 'happenings that a player did not get',
        against: '',
        measured: figures.lost.median('product'),
        bound: 'at most',
        goal: 0,
      },
    ],
    tables: [
      {
        columns: ['server', ...Object.values(headings), 'CPU of the server ÷ floor'],
        rows: contestants.map((name) => [
          name,
          ...all.map((figure) => format(figure.median(name))),
          format(figures.server.ratio(name, 'floor')),
        ]),
      },
    ],
    notes: [
      `${roundsOf(rounds)} of ${SECONDS} seconds. ${PLAYERS_MAX} players, each with an account and a socket, in a room where ${PLAYERS_MAX} lamps are. Each acts every 2 seconds: says something, takes its lamp, says something, drops its lamp. A message is a screen: the room with all players and what lies there, what the player carries, and the last 100 happenings. Changes that follow each other closely come as one message. The players’ sockets are in the process that measures, on the same two processors as the server and the database.`,
      'The floor broadcasts one buffer to all sockets, as many bytes and as often as the product does. Its CPU of the database is that of one update for each broadcast; the product’s includes the acts and the copies of the room in 200 characters.',
    ],
  };
}
