/** The forms below an entry, which post comments without script. */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  type Comment,
  commentIdOf,
  numbersOf,
  pathWithSlug,
  slugOf,
} from '../../../models/comments/discussion/comment.js';
import { findClosed, type PostOutcome } from '../../../models/comments/posting.js';
import type { CommentThrottled } from '../../../models/comments/throttle.js';
import type { NodeDocument } from '../../../models/content/nodes/node.js';
import { subjectOf } from '../../../models/content/nodes/node-comments.js';
import type { RouteScope } from '../../../server/context/routes.js';
import { SextantError, TransientError } from '../../../shared/errors.js';
import { SECOND_MS } from '../../../shared/time.js';
import { commenterOf, postOnce } from '../../comments/comment-post.js';
import type { DraftView } from './pages/views.js';

/** A text of the maximum length, with each character encoded. */
export const FORM_BYTES_MAX = 262_144;

/** What came of a form. */
export type Sent =
  /** Where the comment is. */
  { readonly to: string } | { readonly status: number; readonly draft: DraftView; readonly retryAfterS?: number };

const STATUS = {
  CommentableNotFound: 404,
  CommentNotFound: 409,
  CommentsClosed: 403,
  CommentThrottled: 429,
  ThreadTooDeep: 409,
  DiscussionFull: 409,
} as const;

/**
 * Posts what a form has sent. A form that is sent twice posts one comment: the text itself is its idempotency key, so that the pages,
 * which are the same for everybody, need none.
 * @param path of the page @throws SextantError FORBIDDEN a page of another site sent it @throws TransientError
 */
export async function postForm(
  scope: RouteScope,
  request: FastifyRequest,
  node: NodeDocument,
  path: string,
): Promise<Sent> {
  const sender = await scope.senderOf(request);
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const text = (form.get('text') ?? '').replaceAll('\r\n', '\n').trim(); // forms send line breaks as two characters
  const name = (form.get('name') ?? '').trim();
  const replyTo = form.get('replyTo');
  const failed = (message: string) => ({ text, name, replyTo, message });
  const refused = (refusal: Refused): Sent => ({
    status: STATUS[refusal.__typename],
    draft: failed(messageOf(refusal)),
    ...retryOf(refusal),
  });
  const subject = subjectOf(node);
  const isVisitor = sender.viewer.id === null;
  const closed = isVisitor && findClosed(subject, { isMember: false }); // before a name is asked for
  if (closed) return refused(closed);
  const input = { on: node._id, text, replyTo, name };
  try {
    const posted = await postOnce(
      scope.services,
      sender,
      commenterOf(sender.viewer, isVisitor ? name : null),
      subject,
      {
        input,
        text,
        replyTo: replyTo === null ? null : idOf(subject.discussion, replyTo),
        idempotencyKey: `form:${hash('sha256', JSON.stringify(input), 'base64url')}`,
      },
    );
    return 'number' in posted ? { to: addressOfPosted(path, posted) } : refused(posted);
  } catch (error) {
    if (error instanceof TransientError || !(error instanceof SextantError)) throw error;
    return { status: error.code === 'FORBIDDEN' ? 403 : 400, draft: failed(wordsOf(error)) };
  }
}

type Refused = Exclude<PostOutcome | CommentThrottled, Comment>;

const idOf = (discussion: string, slug: string): string =>
  commentIdOf(discussion, numbersOf(pathWithSlug(slug) ?? '').at(-1) ?? 0);

/** No address of a page that was served before: so the page has the comment. */
const addressOfPosted = (path: string, { state, number, path: place }: Comment): string =>
  state === 'HELD'
    ? `${path}?held=${number.toString(36)}#discussion`
    : `${path}?comment=${slugOf(place)}#comment-${number.toString(36)}`;

const retryOf = (refused: Refused): { retryAfterS?: number } =>
  'retryAfterMs' in refused ? { retryAfterS: Math.ceil(refused.retryAfterMs / SECOND_MS) } : {};

function messageOf(refused: Refused): string {
  if (refused.__typename === 'CommentNotFound') return 'The comment that you reply to is no longer there.';
  if (refused.__typename === 'CommentThrottled')
    return `${refused.message}: in ${Math.ceil(refused.retryAfterMs / (60 * SECOND_MS))} minutes.`;
  return `${refused.message}.`;
}

const FIELDS: Readonly<Record<string, string>> = { text: 'The text', authorName: 'The name' };

/** As a reader of the page says it. */
function wordsOf({ message, details }: SextantError): string {
  const { field, rule } = details as { field?: string; rule?: string };
  if (field === 'authorName' && rule === 'is required of visitors') return 'Please give your name, or sign in.';
  return field === undefined ? `${message}.` : `${FIELDS[field] ?? field} ${rule}.`;
}
