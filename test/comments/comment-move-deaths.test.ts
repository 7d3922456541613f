/**
 * Random posts, replies, edits, deletions and moves whose movers die, or are suspended and wake up too late: always equal to an array,
 * and whoever follows the discussion hears of every change once.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runsOf } from '../../harness/rounds.js';
import { visitOnly } from '../../src/database/collections/snapshot-batches.js';
import { LeaseLostError } from '../../src/database/index.js';
import { findDiscussionPage } from '../../src/models/comments/comment-list.js';
import { type CommentDesign, commentIdOf, partsOfId } from '../../src/models/comments/discussion/comment.js';
import { findDiscussion, type Subject } from '../../src/models/comments/discussion/discussion.js';
import { DiscussionWriter } from '../../src/models/comments/discussion-write.js';
import { findDiscussionViolations } from '../../src/models/comments/invariants.js';
import { commentMove } from '../../src/models/comments/move/comment-move.js';
import { startMove } from '../../src/models/comments/move/move-start.js';
import { deleteComment, editComment, postComment } from '../../src/models/comments/posting.js';
import { subjectOf } from '../../src/models/content/nodes/node-comments.js';
import { endWork, recordStep, takeUp } from '../../src/models/system/work/work-turn.js';
import type { HeldWork, StepWrites, WorkDocument, WorkStep } from '../../src/models/work.js';
import { idOfType, toGlobalId } from '../../src/shared/global-id.js';
import { add } from '../content/nodes/node-support.js';
import { useDatabase } from '../support/database.js';
import { testAct } from '../support/people.js';
import { useServer } from '../support/server.js';
import { type True, Truth, viewOf } from './truth.js';

const database = useDatabase();
const server = useServer(database);
const AT = new Date('2026-01-01T00:00:00Z');
const DESIGNS: readonly CommentDesign[] = ['ONE_EACH', 'EMBEDDED', 'HYBRID'];
/** As many as make a move take more than one batch, and fewer. */
const SIZES = [3, 120, 320] as const;

class Death extends Error {}

/** Where in a step a process dies: before its writes, in their transaction, or when they are stored. */
type Place = 'BEFORE' | 'WITHIN' | 'AFTER';

/** A process that moves a discussion, and dies. Those who take over have higher tokens, as from later leases. */
class Mover implements HeldWork {
  readonly db = database.db;
  readonly now = () => AT;
  readonly signal = new AbortController().signal;
  #steps = 0;

  constructor(
    public work: WorkDocument,
    private readonly lasts: number,
    private readonly dies: Place,
  ) {}

  async step(step: WorkStep | StepWrites): Promise<void> {
    const isLast = this.#steps === this.lasts;
    this.#steps += 1;
    if (isLast && this.dies === 'BEFORE') throw new Death();
    const written = async (session: Parameters<StepWrites>[0]) => {
      const done = typeof step === 'function' ? await step(session) : step;
      if (isLast && this.dies === 'WITHIN') throw new Death();
      return done;
    };
    this.work = await recordStep(this.db, this.work, written);
    if (isLast) throw new Death();
  }
}

/** @returns whether it came to the end */
async function goOn(mover: Mover): Promise<boolean> {
  try {
    await commentMove.run(mover);
    await endWork(database.db, mover.work, null);
    return true;
  } catch (error) {
    if (error instanceof Death || error instanceof LeaseLostError) return false;
    throw error;
  }
}

const FOLLOW = `subscription ($nodeId: ID!, $after: String) {
  commentsChanged(nodeId: $nodeId, last: 200, after: $after) {
    cursor reset comments { id text state replyCount } removed commentCount
  }
}`;

interface Told {
  readonly id: string;
  readonly text: string | null;
}

interface Event {
  readonly commentsChanged: {
    readonly cursor: string;
    readonly reset: boolean;
    readonly comments: readonly Told[];
    readonly removed: readonly string[];
    readonly commentCount: number;
  };
}

const numberOf = (id: string): number => partsOfId(idOfType('Comment', id) ?? '')?.number ?? 0;

type Events = AsyncIterableIterator<{ readonly data?: Event | null }>;

/** Somebody who follows a discussion, and may lose the connection. */
class Follower {
  readonly known = new Map<string, Told>();
  readonly faults: string[] = [];
  /** Comments never come back. */
  readonly #removed = new Set<string>();
  count = 0;
  /** The number of the first comment that it was told of. */
  from = 1;
  #cursor: string | null = null;
  #events: Events | null = null;
  #hears: Promise<void> = Promise.resolve();

  constructor(private readonly nodeId: string) {}

  async connect(): Promise<void> {
    const variables = { nodeId: this.nodeId, after: this.#cursor };
    this.#events = server.connect().iterate<Event>({ query: FOLLOW, variables }) as Events;
    if (this.#cursor === null) this.#hear(await this.#events.next());
    this.#hears = this.#hearAll(this.#events);
  }

  /** What is on its way is told again after the next connection. */
  async disconnect(): Promise<void> {
    await this.#events?.return?.();
    await this.#hears;
  }

  async #hearAll(events: Events): Promise<void> {
    for (;;) {
      const next = await events.next();
      if (next.done) return;
      this.#hear(next);
    }
  }

  #hear({ value }: IteratorResult<{ readonly data?: Event | null }>): void {
    const event = (value as { readonly data?: Event | null } | undefined)?.data?.commentsChanged;
    if (!event) return;
    if (this.#cursor === null) this.from = Math.min(...event.comments.map(({ id }) => numberOf(id)));
    else if (event.reset) this.faults.push('a reset');
    this.#cursor = event.cursor;
    this.count = event.commentCount;
    for (const comment of event.comments) {
      if (JSON.stringify(this.known.get(comment.id)) === JSON.stringify(comment))
        this.faults.push(`twice: ${comment.id}`);
      this.known.set(comment.id, comment);
    }
    for (const id of event.removed) {
      if (this.#removed.has(id)) this.faults.push(`removed twice: ${id}`);
      this.#removed.add(id);
      this.known.delete(id);
    }
  }
}

const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('post' as const), on: fc.nat(500) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), on: fc.nat(500) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), on: fc.nat(500) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reconnect' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wake' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom(...DESIGNS) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('take over' as const),
      lasts: fc.constantFrom(0, 1, 1, 1, 2),
      dies: fc.constantFrom<Place>('BEFORE', 'WITHIN', 'AFTER'),
    }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** A discussion with its array, the people who write, and the movers so far. */
class World {
  readonly truth = new Truth();
  /** Two processes. */
  readonly #writers = [new DiscussionWriter(), new DiscussionWriter()] as const;
  readonly #movers: Mover[] = [];
  #move: WorkDocument | null = null;
  #token = 1_000_000; // above those of the server's own loop, which then leaves the work alone
  #deaths = 0;

  constructor(
    private readonly subject: Subject,
    private readonly follower: Follower,
  ) {}

  async post(text: string, parent: True | null): Promise<void> {
    const replyTo = parent && commentIdOf(this.subject.discussion, parent.number);
    const given = { author: { _id: 'ann', name: '' }, isMember: true, text, replyTo, now: AT };
    const writer = this.#writers[this.truth.all.length % 2] ?? this.#writers[0];
    const posted = await postComment(database.db, writer, this.subject, given);
    if ('number' in posted) this.truth.post('ann', text, parent);
    else expect(parent && (parent.state !== 'PUBLISHED' || parent.path.length === 20)).toBe(true);
  }

  async do(next: Act, at: number): Promise<void> {
    if (next.kind === 'move') return this.#start(next.to);
    if (next.kind === 'take over') return this.#takeOver(next.lasts, next.dies);
    if (next.kind === 'reconnect') {
      await this.follower.disconnect();
      return this.follower.connect();
    }
    if (next.kind === 'wake') {
      const [mover] = this.#movers.slice(-2); // another one may have taken over since it was suspended
      if (mover && (await goOn(mover)) && mover.work._id === this.#move?._id) this.#move = null;
      return;
    }
    const target = this.truth.all[next.on % (this.truth.all.length + 1)] ?? null;
    if (next.kind === 'post') return this.post(`Text ${at}`, target);
    if (!target || target.state === 'DELETED') return;
    const given = { number: target.number, changer: { accountId: 'ann', isModerator: false } };
    const [writer] = this.#writers;
    if (next.kind === 'edit') {
      await editComment(database.db, writer, this.subject, { ...given, text: `New ${at}`, now: AT });
      target.text = `New ${at}`;
    } else {
      await deleteComment(database.db, writer, this.subject, given);
      Object.assign(target, { text: null, state: 'DELETED' });
    }
  }

  async #start(to: CommentDesign): Promise<void> {
    const started = await startMove(database.db, testAct(), { subject: this.subject, name: '/page', to, owner: null });
    if (!('_id' in started)) return;
    const before = this.#move;
    this.#move = started;
    this.#deaths = 0;
    if (!before) return;
    // Its mover died after the last step, and before it noted that the work has ended.
    const taken = await takeUp(database.db, before._id, this.#nextToken());
    expect(taken?.position).toMatchObject({ isOver: true });
    expect(taken && (await goOn(new Mover(taken, 0, 'BEFORE')))).toBe(true);
  }

  #nextToken(): number {
    this.#token += 1;
    return this.#token;
  }

  async #takeOver(lasts: number, dies: Place): Promise<void> {
    if (!this.#move || this.#deaths >= 6) return; // work that is interrupted eight times ends
    this.#deaths += 1;
    const taken = await takeUp(database.db, this.#move._id, this.#nextToken());
    if (!taken) throw new Error('The move is not open');
    const mover = new Mover(taken, lasts, dies);
    this.#movers.push(mover);
    if (await goOn(mover)) this.#move = null;
  }

  /** Another process completes what is under way. */
  async end(): Promise<void> {
    this.#deaths = 0;
    if (this.#move) await this.#takeOver(Number.POSITIVE_INFINITY, 'BEFORE');
    expect(this.#move).toBeNull();
  }
}

async function readAll(discussion: string, order: 'OLDEST_FIRST' | 'NEWEST_FIRST' | 'THREADED'): Promise<object[]> {
  const all: object[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof findDiscussionPage>> = await findDiscussionPage(database.db, discussion, {
      order,
      first: 200,
      after,
    });
    all.push(...page.edges.map(({ node }) => viewOf(node)));
    if (!page.pageInfo.hasNextPage) return all;
    after = page.pageInfo.endCursor;
  }
}

it('equals an array whoever dies, and tells every change once', { timeout: 300_000 }, async () => {
  const sizes = fc.constantFrom(...SIZES);
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 15, maxLength: 40, size: 'max' }),
      sizes,
      fc.constantFrom(...DESIGNS),
      async (acts, size, design) => {
        const node = await add(database.db, {
          type: 'PAGE',
          title: 'Moved',
          slug: `moved-${randomUUID()}`,
          publishedAt: AT,
          commentDesign: design,
        });
        const subject = subjectOf(node);
        const follower = new Follower(toGlobalId('ContentNode', node._id));
        const world = new World(subject, follower);
        // At once, in this order: they share transactions.
        await Promise.all(Array.from({ length: size }, (_, at) => world.post(`First ${at}`, null)));
        await follower.connect();
        for (const [at, next] of acts.entries()) await world.do(next, at);
        await world.end();
        await world.post('The end', null);

        const { truth } = world;
        for (const order of ['OLDEST_FIRST', 'NEWEST_FIRST', 'THREADED'] as const)
          expect(await readAll(subject.discussion, order)).toEqual(truth.list(order).map((each) => truth.view(each)));
        const count = truth.all.filter(({ state }) => state === 'PUBLISHED').length;
        expect(await findDiscussion(database.db, subject.discussion)).toMatchObject({
          count,
          issued: truth.all.length,
        });
        for await (const violation of findDiscussionViolations(database.db, visitOnly)) expect(violation).toBeNull();

        const end = toGlobalId('Comment', commentIdOf(subject.discussion, truth.all.length));
        await expect.poll(() => follower.known.has(end), { timeout: 10_000 }).toBe(true);
        expect(follower.faults).toEqual([]);
        expect(follower.count).toBe(count);
        const fresh = new Follower(toGlobalId('ContentNode', node._id));
        await fresh.connect();
        for (const [id, comment] of fresh.known)
          if (numberOf(id) >= follower.from) expect([id, follower.known.get(id)]).toEqual([id, comment]);
        const shown = new Set(truth.list('OLDEST_FIRST').map(({ number }) => number));
        for (const id of follower.known.keys()) expect([id, shown.has(numberOf(id))]).toEqual([id, true]);
        await fresh.disconnect();
        await follower.disconnect();
      },
    ),
    { numRuns: runsOf(10) },
  );
});
