import { describe, expect, it } from 'vitest';
import type { ModeratedComment } from '../../web/src/comments/moderation/moderated-comment.js';
import {
  addPage,
  FIRST_MAX,
  fail,
  hear,
  isOpen,
  type Queue,
  send,
  settle,
  tidy,
} from '../../web/src/comments/moderation/queue.js';

const comment = (id: string): ModeratedComment => ({
  id,
  url: 'https://example.org/#comment-1',
  text: id,
  html: id,
  state: 'HELD',
  postedAt: '2026-01-01T00:00:00Z',
  editedAt: null,
  author: { id: null, name: 'Zoe' },
  on: null,
  reports: [],
});
const comments = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => comment(`c${first + at}`));
const event = (came: readonly ModeratedComment[], removed: readonly string[] = []) => ({
  reset: false,
  comments: [...came],
  removed: [...removed],
  waiting: 0,
});
const shown = ({ cases }: Queue) => cases.map((each) => each.comment.id);
const open = ({ cases }: Queue) => cases.filter(isOpen).map((each) => each.comment.id);
const start = (last: number) => hear(null, event(comments(1, last)));

describe('the queue of a moderator', () => {
  it('keeps what is closed in its place, adds what is new at the end, and tidies up when asked', () => {
    const queue = hear(hear(start(3), event([], ['c2'])), event([comment('c4')]));
    expect(shown(queue)).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(open(queue)).toEqual(['c1', 'c3', 'c4']);
    expect(shown(tidy(queue))).toEqual(['c1', 'c3', 'c4']);
  });

  it('opens a case again that was reported after its decision, and not by a report from before', () => {
    const sent = settle(send(start(2), new Set(['c1']), 'PUBLISHED'), new Set(['c1']), new Map());
    const earlier = hear(sent, event([comment('c1')]));
    expect(open(earlier)).toEqual(['c2']);
    const closed = hear(earlier, event([], ['c1']));
    expect(closed.cases[0]?.decision).toBe('PUBLISHED');
    expect(open(hear(closed, event([comment('c1')])))).toEqual(['c1', 'c2']);
  });

  it('shows new cases after the older ones, also those that came while these were not loaded', () => {
    const queue = hear(hear(start(FIRST_MAX), event([comment('new'), comment('brief')])), event([], ['brief', 'c101']));
    expect(shown(queue)).toHaveLength(FIRST_MAX);
    expect(addPage(queue, comments(1, FIRST_MAX), false)).toBeNull();
    const more = addPage(queue, [...comments(99, 102), comment('new')], true);
    expect(more && shown(more).slice(-3)).toEqual(['c100', 'c102', 'new']);
    const read = addPage(queue, comments(102, 102), true); // read before `new` came
    expect(read && shown(read).slice(-2)).toEqual(['c102', 'new']);
    expect(read && shown(hear(read, event([comment('last')]))).at(-1)).toBe('last');
  });

  it('takes back what was refused or did not arrive', () => {
    const both = new Set(['c1', 'c2']);
    const settled = settle(send(start(2), both, 'HIDDEN'), both, new Map([['c1', 'The comment was deleted']]));
    expect(settled.cases).toMatchObject([
      { decision: null, refusal: 'The comment was deleted' },
      { decision: 'HIDDEN', comment: { state: 'HIDDEN' } },
    ]);
    const failed = fail(send(settled, both, 'PUBLISHED'), both);
    expect(failed.cases).toMatchObject([
      { decision: null, refusal: null },
      { decision: 'HIDDEN', sent: null },
    ]);
  });
});
