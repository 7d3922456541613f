/**
 * Writes to discussions. Each is one transaction, which takes the turn of its discussion first. Those that arrive in a process while a
 * transaction on their discussion is under way wait, and share the next one: many writers at once cost few transactions, and only
 * processes compete with each other.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, MongoError } from 'mongodb';
import { commitConcernOf, inTransaction, noteWrite } from '../../database/index.js';
import { BusyError } from '../../shared/errors.js';
import type { CommentHost } from '../commentable.js';
import { isThere, type Subject, TURN_ATTEMPTS_MAX, takeTurn } from './discussion/discussion.js';
import { DiscussionEdit } from './discussion-edit.js';

/**
 * What one call does. It may run several times. Before its first change it checks everything that can fail: what it has changed before
 * it throws is written with the changes of the others.
 */
export type Work<T> = (edit: DiscussionEdit) => Promise<T>;

/** What else the writer has to know of a call. */
export interface Asked<T> {
  /** The id of the call, by which it will ask for what an earlier attempt has posted. */
  readonly call?: string | undefined;
  /** When it is its turn: what to answer instead of doing it, if it may not be done any more. Null if it may. */
  readonly lookAgain?: (() => Promise<T | null>) | undefined;
}

interface Waiting {
  readonly subject: Subject;
  /** The comments it will ask for, so that they are read together. */
  readonly numbers: readonly number[];
  readonly asked: Asked<unknown>;
  readonly work: Work<unknown>;
  readonly db: Db;
  readonly settle: (outcome: PromiseSettledResult<unknown>) => void;
}

/** Writes of one transaction: with 10,000 characters each, about a megabyte. */
const TOGETHER_MAX = 100;
/**
 * After each transaction on a discussion: the other processes, and a move, take their turns in such gaps. Meanwhile more calls gather. A
 * share of what the transaction took, because that of somebody else takes as long: a fourth leaves the discussion free for a fifth of the
 * time, and one in five attempts of the others succeeds. A longer gap would only cost time.
 */
const GAP = { share: 1 / 4, minMs: 1, maxMs: 50 };
/** While a discussion is moved: a transaction of the move reads what it copies before it takes the turn, and all that in one gap. */
const MOVE_GAP = { share: 1, minMs: 30, maxMs: 1000 };
/** Per discussion. Beyond it the server is overloaded. */
const WAITING_MAX = 1000;

export class DiscussionWriter {
  /** By discussion. A key is present while a transaction is under way, and in the gap after it. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** @param hosts those that keep summaries of their discussions are told of each change */
  constructor(private readonly hosts: readonly CommentHost[] = []) {}

  /**
   * @returns null, and nothing was written, if what is commented on is gone
   * @param numbers of the comments that the work will ask for
   * @throws BusyError too many writers, here or in other processes
   */
  write<T>(
    db: Db,
    subject: Subject,
    numbers: readonly number[],
    work: Work<T>,
    asked: Asked<T> = {},
  ): Promise<T | null> {
    return new Promise<T | null>((resolve, reject) => {
      const settle = (outcome: PromiseSettledResult<unknown>) =>
        outcome.status === 'fulfilled' ? resolve(outcome.value as T | null) : reject(outcome.reason);
      const one: Waiting = { subject, numbers, asked, work, db, settle };
      const others = this.#waiting.get(subject.discussion);
      if (!others) {
        this.#waiting.set(subject.discussion, []);
        void this.#run(subject.discussion, [one]);
      } else if (others.length >= WAITING_MAX) reject(new BusyError('Too many comments at once'));
      else others.push(one);
    });
  }

  async #run(discussion: string, first: readonly Waiting[]): Promise<void> {
    for (let some = first; some.length > 0; ) {
      const begin = performance.now();
      const isMoved = await writeTogether(await stillAllowed(some), this.hosts);
      await pause(gapAfter(performance.now() - begin, isMoved ? MOVE_GAP : GAP));
      const waiting = this.#waiting.get(discussion) ?? [];
      some = waiting.splice(0, TOGETHER_MAX);
    }
    this.#waiting.delete(discussion);
  }
}

const gapAfter = (ms: number, { share, minMs, maxMs }: typeof GAP): number =>
  Math.min(maxMs, Math.max(minMs, ms * share));

/** Answers those that may not be done any more: they were allowed before they waited. Never rejects. @returns the others */
async function stillAllowed(some: readonly Waiting[]): Promise<readonly Waiting[]> {
  const looked = await Promise.allSettled(some.map(async ({ asked }) => (await asked.lookAgain?.()) ?? null));
  return some.filter(({ settle }, at) => {
    const instead = looked[at];
    if (instead?.status === 'fulfilled' && instead.value === null) return true;
    if (instead) settle(instead);
    return false;
  });
}

const GONE: PromiseSettledResult<null> = { status: 'fulfilled', value: null };

/** Never rejects. @returns whether the discussion is being moved into another design */
async function writeTogether(some: readonly Waiting[], hosts: readonly CommentHost[]): Promise<boolean> {
  const [first] = some;
  if (!first) return false;
  try {
    const { value, writtenAt } = await inTransaction(
      first.db,
      commitConcernOf.MAJORITY,
      async (session) => {
        if (!(await isThere(first.db, session, hosts, first.subject.discussion)))
          return { outcomes: some.map(() => GONE), isMoved: false };
        const discussion = await takeTurn(first.db, session, first.subject);
        const edit = new DiscussionEdit(first.db, session, discussion, hosts);
        await edit.load(
          some.flatMap(({ numbers }) => numbers),
          some.flatMap(({ asked }) => asked.call ?? []),
        );
        const outcomes: PromiseSettledResult<unknown>[] = [];
        // One after the other: a session has one command under way at a time.
        for (const { work } of some) outcomes.push(await outcomeOf(work(edit)));
        await edit.write();
        return { outcomes, isMoved: discussion.move !== undefined };
      },
      { attemptsMax: TURN_ATTEMPTS_MAX, retryDuplicateKeys: true }, // of two processes that create the same discussion
    );
    some.forEach(({ db, settle }, at) => {
      noteWrite(db, writtenAt);
      const outcome = value.outcomes[at];
      if (outcome) settle(outcome);
    });
    return value.isMoved;
  } catch (reason) {
    for (const { settle } of some) settle({ status: 'rejected', reason });
    return false;
  }
}

/** @throws MongoError it ends the transaction, for all who share it */
async function outcomeOf(work: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  try {
    return { status: 'fulfilled', value: await work };
  } catch (reason) {
    if (reason instanceof MongoError) throw reason;
    return { status: 'rejected', reason };
  }
}
