/** Many players in one room: how long it takes until the last one sees an act, and what a message costs. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import { buildIndexes } from '../../src/database/index.js';
import { locations } from '../../src/models/game/world/location.js';
import type { Benchmark, Surroundings } from '../support/benchmark.js';
import { type Contestant, floorContestant, productContestant } from '../support/contestants.js';
import { Rounds } from '../support/measure.js';
import { ActingCrowd, type ActingPlayer } from './acting.js';
import { Crowd } from './crowd.js';
import { HALL, storeHall } from './hall.js';
import {
  CROWDS,
  cell,
  costOf,
  type Figure,
  type Figures,
  figuresOf,
  headings,
  type Name,
  report,
  SECONDS,
} from './room-figures.js';

const EVERY_MS = 2000;
const WARM_SECONDS = 6;

export const room: Benchmark = {
  name: 'game-room',
  title: 'Many players in one room of a game',
  async run(surroundings) {
    const rounds = Object.fromEntries(Object.keys(headings).map((name) => [name, new Rounds()])) as Record<
      Figure,
      Rounds
    >;
    for (let round = 1; round <= surroundings.rounds; round += 1) {
      for (const players of CROWDS) {
        const product = await measure('product', players, surroundings, null);
        add(rounds, cell(players, 'product'), product);
        if (!isWanted('floor', surroundings)) continue;
        add(rounds, cell(players, 'floor'), await measure('floor', players, surroundings, product));
      }
      surroundings.log(`round ${round} done`);
    }
    return report(rounds, surroundings.rounds);
  },
};

const isWanted = (name: Name, { only }: Surroundings): boolean => only?.includes(name) ?? true;

function add(rounds: Readonly<Record<Figure, Rounds>>, name: string, figures: Figures): void {
  for (const [figure, value] of Object.entries(figures) as [Figure, number][]) rounds[figure].add(name, value);
}

/** @param like the floor sends as many messages, of as many bytes */
async function measure(
  name: Name,
  count: number,
  { mongodbUri, scale, nodeOptions }: Surroundings,
  like: Figures | null,
): Promise<Figures> {
  const place = { mongodbUri, database: `sextant_bench_${randomBytes(4).toString('hex')}` };
  const client = await MongoClient.connect(mongodbUri, { writeConcern: { w: 'majority' }, ignoreUndefined: true });
  const db = client.db(place.database);
  let contestant: Contestant | null = null;
  try {
    await buildIndexes(db);
    const players = await storeHall(db, count, name === 'product');
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
    await locations(db).updateOne({ _id: HALL }, { $set: { happened: 0 } });
    await crowd.connect(contestant, players);
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
