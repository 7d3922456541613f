/** Which designs can hold a discussion. */
import { EMBEDDED_BYTES_MAX, EMBEDDED_MAX } from '../designs/embedded.js';
import { THREADED_MAX } from '../designs/hybrid.js';
import type { CommentDesign } from '../discussion/comment.js';
import type { Discussion, Subject } from '../discussion/discussion.js';

/** @returns why a discussion cannot have a design, for the user, or null */
export function whyNotPossible(
  { issued, bytes }: Pick<Discussion, 'issued' | 'bytes'>,
  to: CommentDesign,
): string | null {
  if (to === 'EMBEDDED' && issued > EMBEDDED_MAX)
    return `The discussion has had ${issued} comments. EMBEDDED holds at most ${EMBEDDED_MAX}`;
  if (to === 'EMBEDDED' && bytes > EMBEDDED_BYTES_MAX)
    return `The texts of the discussion have ${bytes} bytes. EMBEDDED holds at most ${EMBEDDED_BYTES_MAX}`;
  if (to === 'HYBRID' && issued > THREADED_MAX)
    return `The discussion has had ${issued} comments. HYBRID shows threads of at most ${THREADED_MAX}`;
  return null;
}

/** Whether a discussion that moves without an editor is to be moved: the other half is for what is written meanwhile. */
export const needsMove = ({ design, move, issued, bytes }: Discussion): boolean =>
  design === 'EMBEDDED' && move === undefined && (issued >= EMBEDDED_MAX / 2 || bytes >= EMBEDDED_BYTES_MAX / 2);

/** @returns why a discussion cannot be moved into a design, for the user, or null */
export function whyNotChosen(
  { designs }: Subject,
  discussion: Pick<Discussion, 'design' | 'issued' | 'bytes'>,
  to: CommentDesign,
): string | null {
  if (discussion.design === to) return `The discussion has the design ${to} already`;
  if (designs && !designs.includes(to)) return `The discussion can have one of these designs: ${designs.join(', ')}`;
  return whyNotPossible(discussion, to);
}
