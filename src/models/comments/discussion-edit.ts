/**
 * What one transaction does to a discussion: comments are read and changed in memory, and written at the end by the design. The counts
 * that depend on them follow here, and nowhere else.
 * Invariants: `count` of a discussion is the number of its published comments; `replies` and `children` of a comment are the numbers of
 * its published and its shown replies.
 */
import type { ClientSession, Db } from 'mongodb';
import type { CommentHost } from '../commentable.js';
import { type Act, type Deed, recordAct } from '../people/audit.js';
import type { AuthorReference } from '../people/author.js';
import { type CommentReport, commentCases, REPORTS_MAX } from './comment-case.js';
import type { Design } from './designs/design.js';
import { designs } from './designs/index.js';
import {
  type Comment,
  type CommentState,
  commentIdOf,
  comments,
  isShown,
  numbersOf,
  parentOf,
  pathOf,
} from './discussion/comment.js';
import { type Discussion, discussions, hostOf } from './discussion/discussion.js';
import { summarize, summarizerOf } from './latest.js';
import { needsMove } from './move/bounds.js';

/** A comment to be added. */
export interface NewComment {
  readonly author: AuthorReference;
  /** Null if it was deleted before it came here. */
  readonly text: string | null;
  readonly state: CommentState;
  /** Not before the discussion's latest comment. */
  readonly posted: Date;
  /** With those above it known (`load`), unless it is published. */
  readonly parent: Comment | null;
  readonly call?: string | undefined;
  readonly edited?: Date | undefined;
}

const idOf = ({ discussion, number }: Comment): string => commentIdOf(discussion, number);

export const bytesOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

export class DiscussionEdit {
  readonly #design: Design;
  readonly #known = new Map<number, Comment>();
  readonly #added: Comment[] = [];
  readonly #changed = new Set<Comment>();
  /** By the id of a call: the number of the comment that it has posted, or null. */
  readonly #posted = new Map<string, number | null>();
  /** Comments about which somebody has decided. */
  readonly #decided = new Set<string>();
  /** Comments whose text is new, and when it was written: moderators who follow a case see it. */
  readonly #edited = new Map<string, Date>();
  readonly #reports: { readonly comment: Comment; readonly report: CommentReport }[] = [];
  /** Accounts whose reports are taken back. */
  readonly #withdrawn: { readonly comment: Comment; readonly by: string }[] = [];
  readonly #acts: { readonly act: Act; readonly deed: Deed }[] = [];

  /** @param discussion as `takeTurn` returned it @param hosts those that keep summaries are told what everybody sees now */
  constructor(
    private readonly db: Db,
    private readonly session: ClientSession,
    private readonly discussion: Discussion,
    private readonly hosts: readonly CommentHost[],
  ) {
    this.#design = designs[discussion.design];
  }

  get commentCount(): number {
    return this.discussion.count;
  }

  /** When the latest comment was posted. */
  get lastPosted(): Date {
    return this.discussion.last_posted;
  }

  isFull(text: string): boolean {
    return this.#design.isFull(this.discussion, bytesOf(text));
  }

  /** Whether an edited text does not fit in. */
  isTooLong(comment: Comment, text: string): boolean {
    const more = bytesOf(text) - bytesOf(comment.text);
    return more > 0 && this.#design.isTooLong(this.discussion, more);
  }

  /** Reads comments at once that `find` and `findByCall` then return. */
  async load(numbers: readonly number[], calls: readonly string[] = []): Promise<void> {
    await this.#loadPosted(calls);
    const posted = calls.flatMap((call) => this.#posted.get(call) ?? []);
    const missing = [...new Set([...numbers, ...posted])].filter((number) => !this.#known.has(number));
    if (missing.length === 0) return;
    const found = await this.#design.find(this.db, this.discussion, missing, this.session);
    for (const comment of found) this.#known.set(comment.number, { ...comment, discussion: this.discussion._id });
  }

  async #loadPosted(calls: readonly string[]): Promise<void> {
    const { db, session, discussion } = this;
    const missing = [...new Set(calls)].filter((call) => !this.#posted.has(call));
    if (missing.length === 0) return;
    const found = await comments(db)
      .find({ call: { $in: missing } }, { projection: { call: 1, discussion: 1, number: 1 }, session })
      .toArray();
    for (const call of missing) this.#posted.set(call, null);
    for (const { call, discussion: of, number } of found)
      if (call !== undefined && of === discussion._id) this.#posted.set(call, number);
  }

  /** @returns the comment that this call has posted: an earlier attempt, whose answer was lost, or one in this transaction */
  async findByCall(call: string): Promise<Comment | null> {
    await this.load([], [call]);
    const number = this.#posted.get(call);
    return typeof number === 'number' ? this.find(number) : null;
  }

  /** @returns the comments that these calls have posted to this discussion, by call */
  async findByCalls(calls: readonly string[]): Promise<ReadonlyMap<string, Comment>> {
    const { db, session, discussion } = this;
    if (calls.length === 0) return new Map();
    const found = await comments(db)
      .find({ call: { $in: [...calls] } }, { projection: { discussion: 1, number: 1, call: 1 }, session })
      .toArray();
    const own = found.filter((one) => one.discussion === discussion._id);
    await this.load(own.map(({ number }) => number));
    return new Map(
      own.flatMap(({ number, call = '' }) => {
        const comment = this.#known.get(number);
        return comment ? [[call, comment]] : [];
      }),
    );
  }

  async find(number: number): Promise<Comment | null> {
    await this.load([number]);
    return this.#known.get(number) ?? null;
  }

  add({ author, text, state, posted, parent, call, edited }: NewComment): Comment {
    const { discussion } = this;
    discussion.issued += 1;
    discussion.bytes += bytesOf(text);
    if (posted > discussion.last_posted) discussion.last_posted = posted;
    const comment: Comment = {
      discussion: discussion._id,
      number: discussion.issued,
      path: pathOf(discussion.issued, parent?.path),
      author,
      posted: discussion.last_posted, // clocks may step, the order of comments does not
      ...(edited && { edited }),
      text,
      state,
      shown: state === 'PUBLISHED',
      was_shown: state === 'PUBLISHED',
      replies: 0,
      children: 0,
      revision: discussion.turn,
      count: 0,
      ...(call !== undefined && { call }),
    };
    this.#known.set(comment.number, comment);
    this.#added.push(comment);
    if (call !== undefined) this.#posted.set(call, comment.number);
    if (state === 'PUBLISHED') {
      discussion.count += 1;
      if (parent) this.#change(parent, { replies: parent.replies + 1, children: parent.children + 1 });
      if (parent) this.#showAgain(parent); // of an import, it may be the place of a deleted one
    }
    return comment;
  }

  setText(comment: Comment, text: string, edited: Date): void {
    this.discussion.bytes += bytesOf(text) - bytesOf(comment.text);
    this.#change(comment, { text, edited });
    this.#edited.set(idOf(comment), edited);
  }

  /** A repeat by the same account counts once. */
  report(comment: Comment, report: CommentReport): void {
    this.#reports.push({ comment, report });
  }

  /** Takes the reports of an account back. A case that has no others is closed, unless the comment waits to be let through. */
  withdrawReports(comment: Comment, by: string): void {
    this.#withdrawn.push({ comment, by });
  }

  /** Brings a comment to a state, and closes its case. */
  async decide(comment: Comment, state: CommentState): Promise<void> {
    this.#decided.add(idOf(comment));
    if (comment.state !== state) await this.setState(comment, state);
  }

  /** For the audit trail, in the same transaction. */
  record(act: Act, deed: Deed): void {
    this.#acts.push({ act, deed });
  }

  /** With the counts of the discussion and of the comments above. A deleted comment needs no decision any more. */
  async setState(comment: Comment, state: CommentState): Promise<void> {
    const wasPublished = comment.state === 'PUBLISHED';
    const published = Number(state === 'PUBLISHED') - Number(wasPublished);
    this.discussion.count += published;
    if (state === 'DELETED') {
      this.#decided.add(idOf(comment));
      this.discussion.bytes -= bytesOf(comment.text);
      this.#change(comment, { text: null });
    }
    await this.load(numbersOf(comment.path));
    this.#change(comment, { state });
    const parent = this.#parentOf(comment);
    if (parent && published !== 0) this.#change(parent, { replies: parent.replies + published });
    this.#showAgain(comment);
  }

  /** Deletes a comment, and who has written it: its place is nobody's. */
  async erase(comment: Comment): Promise<void> {
    if (comment.state !== 'DELETED') await this.setState(comment, 'DELETED');
    this.#change(comment, { author: { name: '' } });
  }

  /** A comment that is only the place of its replies goes with the last of them, and perhaps the one above it, too. */
  #showAgain(comment: Comment): void {
    const shown = isShown(comment);
    if (shown === comment.shown) return;
    this.#change(comment, { shown, was_shown: true });
    const parent = this.#parentOf(comment);
    if (!parent) return;
    this.#change(parent, { children: parent.children + (shown ? 1 : -1) });
    this.#showAgain(parent);
  }

  #parentOf({ path }: Comment): Comment | null {
    const number = parentOf(path);
    return number === null ? null : (this.#known.get(number) ?? null);
  }

  #change(comment: Comment, fields: Partial<Comment>): void {
    Object.assign(comment, fields);
    if (!this.#added.includes(comment)) this.#changed.add(comment);
  }

  /** Stores everything, if there is anything to store. */
  async write(): Promise<void> {
    await this.#writeComments();
    await this.#writeCases();
    for (const { act, deed } of this.#acts) await recordAct(this.db, this.session, act, deed);
  }

  async #writeCases(): Promise<void> {
    const waiting = this.#added.filter(({ state }) => state === 'HELD');
    const opened = waiting.map((comment) => ({
      insertOne: { document: { _id: idOf(comment), since: comment.posted, reports: [] } },
    }));
    // Guard: the account has not reported it. The turn of the discussion keeps two reports apart.
    const reported = this.#reports.map(({ comment, report }) => ({
      updateOne: {
        filter: { _id: idOf(comment) },
        update: [
          {
            $set: {
              since: { $ifNull: ['$since', report.at] },
              reports: {
                $cond: [
                  { $in: [report.by, { $ifNull: ['$reports.by', []] }] },
                  '$reports',
                  {
                    $slice: [{ $concatArrays: [{ $ifNull: ['$reports', []] }, [{ $literal: report }]] }, -REPORTS_MAX],
                  },
                ],
              },
            },
          },
        ],
        upsert: true,
      },
    }));
    const withdrawn = this.#withdrawn.flatMap(({ comment, by }) => [
      { updateOne: { filter: { _id: idOf(comment) }, update: { $pull: { reports: { by } } } } },
      // Guard: nobody else has reported it.
      ...(comment.state === 'HELD' ? [] : [{ deleteOne: { filter: { _id: idOf(comment), reports: [] } } }]),
    ]);
    const edited = [...this.#edited].map(([_id, at]) => ({
      updateOne: { filter: { _id }, update: { $set: { edited: at } } },
    }));
    const closed = [...this.#decided].map((_id) => ({ deleteOne: { filter: { _id } } }));
    const writes = [...opened, ...reported, ...withdrawn, ...edited, ...closed];
    if (writes.length > 0) await commentCases(this.db).bulkWrite(writes, { session: this.session });
  }

  async #writeComments(): Promise<void> {
    if (this.#added.length === 0 && this.#changed.size === 0) return;
    const { _id, turn, issued, count, bytes, last_posted, changed: isCopied } = this.discussion;
    const again = [...this.#changed].map(({ number }) => number);
    const isOutgrown = hostOf(this.hosts, _id)?.outgrownBy !== undefined && needsMove(this.discussion);
    for (const comment of [...this.#added, ...this.#changed]) Object.assign(comment, { revision: turn, count });
    const more = await this.#design.write(this.db, this.session, this.discussion, this.#added, [...this.#changed]);
    // Guard: the turn, by whose update every other writer conflicts with this transaction.
    await discussions(this.db).updateOne(
      { _id, turn },
      {
        $set: { issued, count, bytes, last_posted, ...more, ...(isOutgrown && { outgrown: true }) },
        ...(isCopied && { $addToSet: { changed: { $each: again } } }),
      },
      { session: this.session },
    );
    const summarizer = summarizerOf(this.hosts, _id);
    const isSeen = [...this.#added, ...this.#changed].some(({ was_shown }) => was_shown); // of what waits, nobody knows
    if (summarizer && isSeen) await summarize(this.db, this.session, summarizer, { ...this.discussion, ...more });
  }
}
