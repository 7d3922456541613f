/**
 * What each design costs for a discussion, and which one suits it: from how many comments it has, how long they are, whether they form
 * threads, and whether people still comment. The measurements behind the rules are in `docs/comments.md`, "Choosing a design".
 */
import { BSON, type ClientSession, type Db } from 'mongodb';
import { inSnapshot } from '../../../database/index.js';
import { DAY_MS } from '../../../shared/time.js';
import { PAGE_SIZE, pagesFor, THREADED_MAX } from '../designs/hybrid.js';
import { designs } from '../designs/index.js';
import { type CommentDesign, depthOf, referenceOf, type StoredComment } from '../discussion/comment.js';
import { type Discussion, findDiscussion, type Subject } from '../discussion/discussion.js';
import { whyNotChosen } from './bounds.js';

export interface DesignCost {
  readonly documents: number;
  readonly bytes: number;
  readonly documentsReadForAPage: number;
  readonly bytesReadForAPage: number;
  readonly bytesWrittenForAComment: number;
}

export interface DesignAdvice extends DesignCost {
  readonly design: CommentDesign;
  readonly isRecommended: boolean;
  /** Whether the discussion has it, or can be moved into it. */
  readonly isPossible: boolean;
  /** For the user. */
  readonly note: string;
}

/** What the costs follow from. Sizes are in bytes. */
interface Measures {
  /** All comments, in any state. */
  readonly count: number;
  /** The document of the discussion without comments. */
  readonly head: number;
  /** A comment within another document, its own document, and a document that refers to it: on average. */
  readonly inside: number;
  readonly own: number;
  readonly reference: number;
  readonly isThreaded: boolean;
  /** The numbers of the first page. */
  readonly firstPage: readonly number[];
}

/** A list reads one comment more than it shows, to know whether there are more. */
const READ_FOR_A_PAGE = 50 + 1;
/** The latest comments that are looked at. */
const SAMPLE = 200;
/** A discussion with a smaller share of replies reads the same in threads and by time. */
const THREADED_SHARE = 0.1;
/** Up to so many comments, all of them are read in the time of a page. */
const SHORT_MAX = 200;
/** From so many comments on, a page in HYBRID is a small part of the discussion. */
const LONG_MIN = 500;
const QUIET_DAYS = 30;

/** One for each design. A discussion that nobody has begun costs nothing in any. @param now to tell whether people still comment */
export async function adviseOnDesign(db: Db, subject: Subject, now: Date): Promise<DesignAdvice[]> {
  const { value: found } = await inSnapshot(db, async (session) => {
    const discussion = await findDiscussion(db, subject.discussion, session);
    return discussion && { discussion, measures: await measure(db, discussion, session) };
  });
  const begun = found?.discussion ?? { design: subject.design, issued: 0, bytes: 0, last_posted: now };
  const measures = found?.measures ?? NOTHING;
  const names = Object.keys(designs) as CommentDesign[];
  const reasons = new Map(
    names.map((design) => [design, design === begun.design ? null : whyNotChosen(subject, begun, design)]),
  );
  const isQuiet = now.getTime() - begun.last_posted.getTime() > QUIET_DAYS * DAY_MS;
  const suited = suitedTo(measures, isQuiet);
  const recommended = reasons.get(suited) ? 'ONE_EACH' : suited;
  return names.map((design) => {
    const reason = reasons.get(design) ?? null;
    return {
      design,
      isRecommended: design === recommended,
      isPossible: reason === null,
      note: reason ?? notes[design](measures, isQuiet),
      ...(found ? costs[design](measures) : FREE),
    };
  });
}

/** ONE_EACH is never wrong: its costs follow from the page, not from the discussion. The others must have a reason. */
function suitedTo({ count, isThreaded }: Measures, isQuiet: boolean): CommentDesign {
  if (count > 0 && count <= SHORT_MAX && isQuiet) return 'EMBEDDED';
  if (count >= LONG_MIN && count <= THREADED_MAX && !isThreaded) return 'HYBRID';
  return 'ONE_EACH';
}

const notes: Readonly<Record<CommentDesign, (measures: Measures, isQuiet: boolean) => string>> = {
  ONE_EACH: () => 'A page and a new comment cost the same however long the discussion is, in every order.',
  EMBEDDED: ({ count }, isQuiet) => {
    if (count > SHORT_MAX) return `Every page reads all ${count} comments, and every new one rewrites them.`;
    return isQuiet
      ? `Short, and nobody has commented for ${QUIET_DAYS} days: one document has all of it.`
      : 'One document has all of it while it is short. People still comment, and every new comment rewrites all of them.';
  },
  HYBRID: ({ count, isThreaded }) => {
    if (count > THREADED_MAX) return `Read by time only: it shows threads of at most ${THREADED_MAX} comments.`;
    if (isThreaded) return `There are replies: to sort threads, every page reads the paths of all ${count} comments.`;
    return count < LONG_MIN
      ? `A page reads few documents. This pays from about ${LONG_MIN} comments on.`
      : 'Long, and with hardly any replies: a page by time reads two or three documents in the place of 52.';
  },
};

async function measure(db: Db, discussion: Discussion, session: ClientSession): Promise<Measures> {
  const { list } = designs[discussion.design];
  const latest = await list(db, discussion, { order: 'NEWEST_FIRST', after: null, limit: SAMPLE }, session);
  const replies = latest.filter(({ path }) => depthOf(path) > 0).length;
  const isThreaded = latest.length > 0 && replies / latest.length >= THREADED_SHARE;
  const canSort = discussion.design !== 'HYBRID' || discussion.issued <= THREADED_MAX;
  const order = isThreaded && canSort ? 'THREADED' : 'OLDEST_FIRST';
  const first = await list(db, discussion, { order, after: null, limit: READ_FOR_A_PAGE }, session);
  return {
    count: discussion.issued,
    head: BSON.calculateObjectSize(discussion),
    ...sizesOf(latest, discussion),
    isThreaded,
    firstPage: first.map(({ number }) => number),
  };
}

/** The texts of all comments are counted; what else a comment has is taken from the latest ones. */
function sizesOf(latest: readonly StoredComment[], { _id, bytes, issued }: Discussion) {
  const text = bytes / Math.max(1, issued);
  const averageOf = (size: (comment: StoredComment) => number) =>
    latest.reduce((sum, comment) => sum + size(comment), 0) / Math.max(1, latest.length);
  const around = averageOf((comment) => BSON.calculateObjectSize(comment) - Buffer.byteLength(comment.text ?? ''));
  const reference = averageOf((comment) => BSON.calculateObjectSize(referenceOf({ ...comment, discussion: _id })));
  const ids = averageOf(({ number }) =>
    BSON.calculateObjectSize({ _id: `${_id}/${number.toString(36)}`, discussion: _id }),
  );
  return { inside: around + text + IN_AN_ARRAY, own: around + text + ids - EMPTY_DOCUMENT, reference };
}

/** The type, and the index with its end. */
const IN_AN_ARRAY = 5;
const EMPTY_DOCUMENT = 5;

const NOTHING: Measures = { count: 0, head: 0, inside: 0, own: 0, reference: 0, isThreaded: false, firstPage: [] };
const FREE: DesignCost = {
  documents: 0,
  bytes: 0,
  documentsReadForAPage: 0,
  bytesReadForAPage: 0,
  bytesWrittenForAComment: 0,
};
const costs: Readonly<Record<CommentDesign, (measures: Measures) => DesignCost>> = {
  ONE_EACH: ({ count, head, own, firstPage }) => ({
    documents: 1 + count,
    bytes: Math.round(head + count * own),
    documentsReadForAPage: 1 + firstPage.length,
    bytesReadForAPage: Math.round(head + firstPage.length * own),
    bytesWrittenForAComment: Math.round(head + own),
  }),
  // A page reads the document twice: how the discussion is stored, then its comments.
  EMBEDDED: ({ count, head, inside, reference }) => ({
    documents: 1 + count,
    bytes: Math.round(head + count * (inside + reference)),
    documentsReadForAPage: 2,
    bytesReadForAPage: Math.round(2 * (head + count * inside)),
    bytesWrittenForAComment: Math.round(head + (count + 1) * inside + reference),
  }),
  HYBRID: ({ count, head, inside, reference, isThreaded, firstPage }) => {
    const pages = Math.ceil(count / PAGE_SIZE);
    const page = Math.min(count, PAGE_SIZE) * inside;
    // Threads are sorted by the paths on all pages; then those are read that have the comments.
    const read = isThreaded ? pages + new Set(firstPage.map(pageOf)).size : Math.min(pages, pagesFor(READ_FOR_A_PAGE));
    return {
      documents: 1 + pages + count,
      bytes: Math.round(head + count * (inside + reference)),
      documentsReadForAPage: 1 + read,
      bytesReadForAPage: Math.round(head + read * page),
      bytesWrittenForAComment: Math.round(head + inside * (1 + (count % PAGE_SIZE)) + reference),
    };
  },
};

const pageOf = (number: number): number => Math.ceil(number / PAGE_SIZE);
