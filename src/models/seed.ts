/**
 * Sample data of a domain: a list of steps, each filled in and taken back as background work (`system/work/seed.ts`). The work counts
 * the steps that are filled in (`done`), so both directions continue there after a crash.
 */
import type { ClientSession, Db } from 'mongodb';
import { failpoint } from '../shared/failpoint.js';
import { DAY_MS } from '../shared/time.js';
import type { HeldWork, WorkKind } from './work.js';

/** The GraphQL type that describes it. */
export const SEED_TYPE = 'Seed';

/** What the work is started with. */
export interface SeedInput {
  /** For the audit trail: who fills the domain, from where, and how long entries are kept. */
  readonly actor: string;
  readonly address: string;
  readonly kept_until: Date;
}

/** Writes that are recorded together with the step, once. They may run several times, each time without the earlier writes. */
type StepWrites = (session: ClientSession) => Promise<void>;

/** One step. What it writes by itself must be repeatable; what it returns is written in the transaction that records the step. */
export interface SeedStep {
  fill(held: HeldWork): Promise<StepWrites | undefined>;
  /** Takes back what nobody has changed since. Also called for a step that was not completed, or not begun. */
  takeBack(held: HeldWork): Promise<TakenBack>;
}

export interface TakenBack {
  /** @returns how many items stay because they were changed */
  readonly write?: (session: ClientSession) => Promise<number>;
  /** The same, for what the step has written by itself. */
  readonly kept?: number;
}

/** Days before, or after if it is negative, the moment when the domain was filled, and the time of that day in UTC. */
export type Moment = readonly [daysBefore: number, time: `${number}:${number}`];

export const momentBefore = (filled: Date, [days, time]: Moment): Date => {
  const day = new Date(filled.getTime() - days * DAY_MS).toISOString().slice(0, 10);
  return new Date(`${day}T${time}:00Z`);
};

/** The sample data of a domain in this process. */
export interface Seed {
  isEmpty(db: Db): Promise<boolean>;
  readonly kind: WorkKind;
}

const PREFIX = 'seed.';

export const seedKindName = (domain: string): string => `${PREFIX}${domain}`;
export const domainOfSeed = ({ kind }: { readonly kind: string }): string => kind.slice(PREFIX.length);

export const seedKind = (domain: string, steps: readonly SeedStep[]): WorkKind => ({
  name: seedKindName(domain),
  type: SEED_TYPE,
  run: (held) => fillIn(held, steps),
  undo: (held) => takeBack(held, steps),
});

async function fillIn(held: HeldWork, steps: readonly SeedStep[]): Promise<void> {
  const filled = { done: 1, total: steps.length };
  for (const step of steps.slice(held.work.done)) {
    const write = await step.fill(held);
    failpoint('seed.filled');
    await held.step(write ? (session) => write(session).then(() => filled) : filled);
  }
}

/** In the reverse order. The step after the last one that is done may have been begun. */
async function takeBack(held: HeldWork, steps: readonly SeedStep[]): Promise<void> {
  const { left = Math.min(held.work.done + 1, steps.length) } = (held.work.position ?? {}) as {
    readonly left?: number;
  };
  for (let at = left - 1; at >= 0; at -= 1) {
    const { write, kept = 0 } = (await steps[at]?.takeBack(held)) ?? {};
    failpoint('seed.taken-back');
    const done = at < held.work.done ? -1 : 0;
    const takenBack = (stays: number) => ({
      done,
      position: { left: at },
      ...(stays > 0 && { counts: { kept: stays } }),
    });
    await held.step(write ? async (session) => takenBack(kept + (await write(session))) : takenBack(kept));
  }
}
