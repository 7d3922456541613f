/** The people in a circle, in pages. */
import {
  type Connection,
  decodePosition,
  encodePosition,
  type PageInput,
  requireFirst,
  toConnection,
} from '../../../shared/page.js';
import type { Member, OwnCircle } from './circle.js';

const FIRST_MAX = 100;

const byTime = (one: Member, other: Member): number =>
  one.since.getTime() - other.since.getTime() || (one.id < other.id ? -1 : 1);

/** The longest followed first. Whoever leaves moves nobody to another page. @throws InputError @throws LimitError @throws CursorError */
export function pageOfMembers({ owner, id, members }: OwnCircle, { first, after }: PageInput): Connection<Member> {
  requireFirst(first, FIRST_MAX);
  const list = `members/${owner}/${id}`;
  const inOrder = members.toSorted(byTime);
  const [ms, last] = after ? (decodePosition(list, after, ['number', 'string']) as [number, string]) : [0, ''];
  const seen = { since: new Date(ms), id: last };
  const found = after ? inOrder.filter((member) => member.id !== last && byTime(seen, member) < 0) : inOrder;
  return toConnection(found.slice(0, first + 1), first, (member) =>
    encodePosition(list, [member.since.getTime(), member.id]),
  );
}
