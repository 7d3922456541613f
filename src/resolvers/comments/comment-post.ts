/** Posting a comment, by the API and by the forms of the public site. */

import type { HiddenAuthors } from '../../models/comments/comment-list.js';
import { requireCommentText } from '../../models/comments/discussion/comment-text.js';
import type { Subject } from '../../models/comments/discussion/discussion.js';
import {
  briefOfPosting,
  type Commenter,
  findClosed,
  type LookAgain,
  type PostOutcome,
  postComment,
} from '../../models/comments/posting.js';
import { boundsOf, type CommentThrottled, findCommentThrottle } from '../../models/comments/throttle.js';
import { callOnce } from '../../models/people/keyed-calls/member-call.js';
import { requireName } from '../../models/people/user.js';
import type { Services } from '../../server/context/context.js';
import { hasRole, refuseViewer, type Viewer, visitorWithBadToken } from '../../server/identity/viewer.js';
import { addressBlock } from '../../shared/address-block.js';
import { InputError, SextantError } from '../../shared/errors.js';
import { HOUR_MS } from '../../shared/time.js';

export interface Sender {
  readonly viewer: Viewer;
  /** The network address. */
  readonly address: string;
}

/** What is written, before the object is looked up that it is about. */
export interface Draft {
  /** What a repeat with the same key has to repeat. */
  readonly input: object;
  readonly text: string;
  /** The id of a comment. */
  readonly replyTo: string | null;
  /** Whose comments the sender does not see. */
  readonly hiddenAuthors?: HiddenAuthors | undefined;
  readonly lookAgain?: LookAgain | undefined;
  readonly idempotencyKey: string | null | undefined;
}

type PostServices = Pick<Services, 'db' | 'config' | 'discussionWriter' | 'now'>;

const mayComment = (viewer: Viewer): boolean => hasRole(viewer, 'MEMBER') || hasRole(viewer, 'AUTHOR');

/** @throws SextantError FORBIDDEN an API key; UNAUTHENTICATED an expired token @throws InputError */
export function commenterOf(viewer: Viewer, authorName: string | null | undefined): Commenter {
  if (viewer.kind === 'program') throw new SextantError('FORBIDDEN', 'API keys cannot comment');
  if (viewer.id === null) {
    if (!authorName && viewer === visitorWithBadToken) refuseViewer(viewer, 'Sign in first');
    if (!authorName) throw new InputError('authorName', 'is required of visitors');
    return { author: { name: requireName('authorName', authorName) }, isMember: false };
  }
  if (authorName) throw new InputError('authorName', 'is for visitors only');
  // The name is read with the account, so that it is always the present one. An external issuer's accounts are not stored.
  return { author: { _id: viewer.id, name: viewer.profile?.name ?? '' }, isMember: mayComment(viewer) };
}

/** Whether it can be posted is checked first, then it counts for the throttle, then it is posted. @throws InputError @throws LimitError @throws BusyError */
export function postOnce(
  { db, config, discussionWriter, now }: PostServices,
  { viewer, address }: Sender,
  commenter: Commenter,
  subject: Subject,
  { input, text, replyTo, hiddenAuthors, lookAgain, idempotencyKey }: Draft,
): Promise<PostOutcome | CommentThrottled> {
  requireCommentText(text); // before it counts for the throttle
  const scope = viewer.id ?? `visitor:${addressBlock(address)}`;
  const caller = { id: scope, isEditor: hasRole(viewer, 'EDITOR') };
  const keepMs = config.IDEMPOTENCY_HOURS * HOUR_MS;
  const passing = ['CommentThrottled', 'CommentsClosed']; // until a discussion is opened, or the sender has joined the network
  const once = { operation: 'postComment', key: idempotencyKey, input, scope, caller, keepMs, passing };
  const work = async (call: string): Promise<PostOutcome | CommentThrottled> => {
    const closed = findClosed(subject, commenter);
    if (closed) return closed;
    const throttled = await findCommentThrottle(db, boundsOf(viewer.id, address), now());
    if (throttled) return throttled;
    return postComment(db, discussionWriter, subject, {
      ...commenter,
      text,
      replyTo,
      hiddenAuthors,
      call: idempotencyKey ? call : undefined,
      lookAgain,
      now: now(),
    });
  };
  return callOnce(db, once, now(), work, briefOfPosting(db));
}
