/** Copies of rooms and presence, while the server dies. */
import type { Db } from 'mongodb';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import { waitFor } from '../../../harness/wait-for.js';
import { presences } from '../../../src/models/game/rooms/presence.js';
import { locations } from '../../../src/models/game/world/location.js';
import type { Scenario, WorkerScenario } from '../../crash/scenario.js';
import { callJobs, letWorkersRun } from '../../crash/workers.js';
import { expectSettled, openWorld, TIM } from '../crash-game.js';

export const copying: WorkerScenario<void> = {
  failpoints: { 'game.room-copied': 1 },
  leave: async (db) => {
    await openWorld(db);
    const changed = { $set: { description: 'New', uncopied_since: new Date(0) }, $inc: { version: 1 } };
    await locations(db).updateOne({ _id: 'hall' }, changed);
  },
  judge: async (_product, db) => {
    await letWorkersRun(db);
    await expectSettled(db);
    expect(await db.collection('game.characters').countDocuments({ 'location.description': 'New' })).toBe(2);
  },
};

const FOLLOW = `subscription { roomChanged(characterId: "${TIM}") { cursor } }`;

const timIsOnline = async (db: Db): Promise<boolean> =>
  (await locations(db).findOne({ players: { $elemMatch: { id: 'tim', is_online: true } } })) !== null;

/** Leases end with time, which the tests do not wait for. */
async function expectAway(db: Db): Promise<void> {
  await presences(db).updateMany({}, { $set: { until: new Date(0) } });
  await db.collection('jobs').updateMany({}, { $set: { next_run_at: new Date(0) } });
  await waitFor('Tim to be away', 20_000, async () => {
    await db.collection('jobs').updateMany({}, { $set: { next_run_at: new Date(0) } });
    return !(await timIsOnline(db)) && (await presences(db).countDocuments()) === 0 ? true : null;
  });
  await letWorkersRun(db);
  await expectSettled(db);
}

/** @param isLeft whether the subscription ends before the server does */
const following = (failpoints: Readonly<Record<string, number>>, isLeft = false): Scenario<void> => ({
  failpoints,
  act: async (product: Product, db: Db) => {
    await openWorld(db);
    const events = product.subscribe(FOLLOW);
    const first = await events.next().catch(() => null);
    if (isLeft) expect(first?.value).toBeDefined();
    if (isLeft) await events.return?.();
    await product.process.ended;
  },
  judge: (_product, db) => expectAway(db),
});

export const goingOnline = following({ 'game.presence-noted': 1, 'game.presence-shown': 1 });
export const goingAway = following({ 'game.presence-removed': 1 }, true);

/** The job dies that marks those as away who have gone without a word. */
export const expiring: Scenario<void> = {
  failpoints: { 'game.presence-expired': 1 },
  act: async (product, db) => {
    await openWorld(db);
    await presences(db).insertOne({ _id: 'left', character: 'tim', process: 'dead', until: new Date(0) });
    await locations(db).updateOne(
      { _id: 'hall', 'players.id': 'tim' },
      { $set: { 'players.$.is_online': true, uncopied_since: new Date(0) }, $inc: { version: 1 } },
    );
    await callJobs(db, product);
  },
  judge: (_product, db) => expectAway(db),
};
