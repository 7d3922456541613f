/**
 * The invariants of roll-ups: a period without pending sessions below it is the sum of its children. Periods left unfinished by a run are
 * skipped, because the next run sums them again, and so are hours whose sessions were removed. Reads everything in batches, each at one
 * cluster time.
 */
import type { ClientSession, Db, Document, FindCursor } from 'mongodb';
import { type Visited, visitOnly } from '../../../database/collections/snapshot-batches.js';
import { inSnapshot } from '../../../database/index.js';
import { inBatches } from '../../../shared/batches.js';
import { childrenOf, type RollUpDocument, type RollUpValue, rollUps, SEALED } from './roll-up.js';
import { endOf, type Period, periodsOf, type RollUpLevel, rollUpLevels } from './roll-up-level.js';
import { sumPeriods } from './roll-up-sum.js';
import { sessions } from './session.js';

export interface RollUpViolation {
  readonly level: RollUpLevel;
  readonly user: string;
  readonly begin: Date;
  readonly figure: Figure;
  readonly expected: number;
  readonly found: number;
}

const figures = ['total', 'count', 'mean'] as const;
type Figure = (typeof figures)[number];
type Figures = Readonly<Pick<RollUpValue, Figure>>;

const NOTHING: Figures = { total: 0, count: 0, mean: 0 };
const BATCH = 500;

/** Checks the stored periods, then those that should exist because of their children. */
export async function* findRollUpViolations(db: Db, visited: Visited = visitOnly): AsyncGenerator<RollUpViolation> {
  for (const level of rollUpLevels) {
    const stored = { collectionName: rollUps[level].collectionName, user: '_id.u', moment: '_id.d' };
    for (const source of [stored, childrenOf[level]]) {
      for await (const moments of inBatches(momentsOf(db, source), BATCH)) {
        yield* await checkPeriods(db, level, periodsOf(level, moments));
        await visited(moments.length);
      }
    }
  }
}

interface Source {
  readonly collectionName: string;
  readonly user: string;
  readonly moment: string;
}

/** Sorted by user and time, so that a batch covers few periods. */
function momentsOf(db: Db, { collectionName, user, moment }: Source): FindCursor<Period> {
  return db
    .collection(collectionName)
    .find({ [user]: { $gt: '' } })
    .sort({ [user]: 1, [moment]: 1 })
    .project<{ user: string; at: Date }>({ _id: 0, user: `$${user}`, at: `$${moment}` })
    .map(({ user: name, at }) => ({ user: name, begin: at.getTime() }));
}

async function checkPeriods(db: Db, level: RollUpLevel, periods: readonly Period[]): Promise<RollUpViolation[]> {
  const { value } = await inSnapshot(db, async (session) => {
    const sums = new Map<string, Figures>();
    for (const { total, count, ...period } of await sumPeriods(db, level, periods, session))
      sums.set(nameOf(period), { total, count, mean: total / count });
    const stored = await findStored(db, level, periods, session);
    const violations: RollUpViolation[] = [];
    for (const period of periods) {
      if (stored.get(nameOf(period))?.computed_at.equals(SEALED)) continue; // its sessions are removed
      const [expected, found] = [sums, stored].map((known) => known.get(nameOf(period)) ?? NOTHING) as [
        Figures,
        Figures,
      ];
      const wrong = figures.filter((figure) => expected[figure] !== found[figure]);
      if (wrong.length === 0 || (await hasPending(db, level, period, session))) continue;
      const subject = { level, user: period.user, begin: new Date(period.begin) };
      for (const figure of wrong)
        violations.push({ ...subject, figure, expected: expected[figure], found: found[figure] });
    }
    return violations;
  });
  return value;
}

async function findStored(
  db: Db,
  level: RollUpLevel,
  periods: readonly Period[],
  session: ClientSession,
): Promise<Map<string, RollUpValue>> {
  const ids = periods.map(({ user, begin }): RollUpDocument['_id'] => ({ u: user, d: new Date(begin) }));
  const found = await rollUps[level](db)
    .find({ _id: { $in: ids } }, { session })
    .toArray();
  return new Map(found.map(({ _id, value }) => [nameOf({ user: _id.u, begin: _id.d.getTime() }), value]));
}

async function hasPending(db: Db, level: RollUpLevel, { user, begin }: Period, session: ClientSession) {
  const within: Document = { $gte: new Date(begin), $lt: new Date(endOf(level, begin)) };
  const options = { session, projection: { _id: 1 } };
  return (await sessions(db).findOne({ userid: user, ts: within, pending: true }, options)) !== null;
}

const nameOf = ({ user, begin }: Period): string => `${begin}/${user}`;
