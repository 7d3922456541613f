/** What a page shows of a discussion, compared with an array: whatever order, pages and changes come in. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addPage,
  branchesOf,
  catchUp,
  countHidden,
  type DiscussionComment,
  emptyThread,
  hear,
  showOwn,
  showWaiting,
  type Thread,
} from '../../web/src/comments/discussion/thread.js';

const comment = (slug: string, text = slug): DiscussionComment => {
  const parent = slug.includes('/') ? slug.slice(0, slug.lastIndexOf('/')) : null;
  return {
    id: slug,
    slug,
    text,
    html: text,
    url: '',
    postedAt: '2026-01-01T00:00:00Z',
    editedAt: null,
    state: 'PUBLISHED',
    replyCount: 0,
    parentId: parent,
    author: { id: 'ann', name: 'Ann' },
  };
};
const page = (slugs: readonly string[], end: string | null = null) => ({
  comments: slugs.map((slug) => comment(slug)),
  end,
  count: slugs.length,
});
const change = (some: readonly DiscussionComment[], removed: readonly string[] = []) => ({
  comments: some,
  removed,
  commentCount: 9,
});
const slugs = (list: readonly DiscussionComment[]) => list.map(({ slug }) => slug);

describe('a discussion on a page', () => {
  const shown = addPage(emptyThread('THREADED'), page(['1', '1/3', '2']));

  it('lets new comments wait, and puts them where they belong when they are asked for', () => {
    const heard = hear(shown, change([comment('1/3/4'), comment('5')]));
    expect(slugs(heard.shown)).toEqual(['1', '1/3', '2']);
    expect(slugs(heard.waiting)).toEqual(['1/3/4', '5']);
    expect(slugs(showWaiting(heard).shown)).toEqual(['1', '1/3', '1/3/4', '2', '5']);
    expect(showWaiting(heard).waiting).toEqual([]);
  });

  it('changes and removes in place what is shown or waits', () => {
    const heard = hear(
      hear(shown, change([comment('5')])),
      change([comment('2', 'edited'), comment('5', 'too')], ['1/3']),
    );
    expect(heard.shown.map(({ text }) => text)).toEqual(['1', 'edited']);
    expect(heard.waiting.map(({ text }) => text)).toEqual(['too']);
    expect(heard.count).toBe(9);
  });

  it('shows the reader’s own comment once, whichever of answer and event comes first', () => {
    const own = comment('6');
    for (const both of [showOwn(hear(shown, change([own])), own), hear(showOwn(shown, own), change([own]))]) {
      expect(slugs(both.shown)).toEqual(['1', '1/3', '2', '6']);
      expect(both.waiting).toEqual([]);
    }
  });

  it('tells how many comments the reader is not shown, once everything was read', () => {
    expect(countHidden(shown)).toBe(0);
    expect(countHidden(hear(shown, { ...change([]), commentCount: 4 }))).toBe(1);
    expect(countHidden(hear(shown, { ...change([comment('5')]), commentCount: 5 }))).toBe(1);
    const placeOfReplies: DiscussionComment = { ...comment('1'), state: 'DELETED' };
    expect(countHidden(hear(shown, { ...change([placeOfReplies]), commentCount: 2 }))).toBe(0);
    const partly = addPage(emptyThread('THREADED'), { ...page(['1', '2'], 'cursor'), count: 9 });
    expect(countHidden(partly)).toBe(0);
  });

  it('leaves what is beyond the last page that was read to the next page', () => {
    const partly = addPage(emptyThread('THREADED'), page(['1', '2'], 'cursor'));
    expect(hear(partly, change([comment('9')])).waiting).toEqual([]);
    expect(slugs(hear(partly, change([comment('1/9')])).waiting)).toEqual(['1/9']);
    const newest = addPage(emptyThread('NEWEST_FIRST'), page(['8', '7'], 'cursor'));
    expect(slugs(hear(newest, change([comment('3/9'), comment('2')])).waiting)).toEqual(['3/9']);
  });

  it('does not take a change on a page that was not read for news, although an own comment comes after it', () => {
    const partly = showOwn(addPage(emptyThread('THREADED'), page(['1', '2'], 'cursor')), comment('9'));
    expect(slugs(partly.shown)).toEqual(['1', '2', '9']);
    expect(hear(partly, change([comment('5', 'edited')])).waiting).toEqual([]);
    expect(slugs(addPage(partly, page(['3', '5', '9'])).shown)).toEqual(['1', '2', '3', '5', '9']);
  });

  it('lets what came during a gap wait, and drops what has gone', () => {
    const after = catchUp(shown, page(['1', '2', '2/4']));
    expect(slugs(after.shown)).toEqual(['1', '2']);
    expect(slugs(after.waiting)).toEqual(['2/4']);
  });

  it('puts replies below what they reply to, and those without it on the page at the top', () => {
    const branches = branchesOf(addPage(emptyThread('THREADED'), page(['1/2', '1/2/3', '4', '4/a'])));
    expect(
      branches.map(({ comment: { slug }, replies }) => [slug, replies.map((reply) => reply.comment.slug)]),
    ).toEqual([
      ['1/2', ['1/2/3']],
      ['4', ['4/a']],
    ]);
    const flat = branchesOf(addPage(emptyThread('OLDEST_FIRST'), page(['1', '1/2'])));
    expect(flat.map(({ comment: { slug } }) => slug)).toEqual(['1', '1/2']);
  });

  it('shows everything once and in order, whatever comes in which order', () => {
    const number = fc.integer({ min: 1, max: 80 }).map((n) => n.toString(36));
    const slug = fc.array(number, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const orders = fc.constantFrom('THREADED' as const, 'OLDEST_FIRST' as const, 'NEWEST_FIRST' as const);
    fc.assert(
      fc.property(orders, fc.uniqueArray(slug, { maxLength: 40, selector: lastOf }), fc.nat(40), (order, all, at) => {
        const thread = addPage(emptyThread(order), page(all.slice(0, at)));
        const heard = all.slice(at).reduce((known, each) => hear(known, change([comment(each)])), thread);
        expect(slugs(showWaiting(heard).shown)).toEqual(all.toSorted((one, other) => byOrder(order, one, other)));
      }),
    );
  });
});

const lastOf = (slug: string): string => slug.split('/').at(-1) ?? '';

/** In another way than the page does it: paths of a fixed width, as text. */
function byOrder(order: Thread['order'], one: string, other: string): number {
  const wide = (slug: string) =>
    slug
      .split('/')
      .map((part) => part.padStart(6, '0'))
      .join('');
  const [left, right] = order === 'THREADED' ? [wide(one), wide(other)] : [wide(lastOf(one)), wide(lastOf(other))];
  const compared = left < right ? -1 : Number(left > right);
  return order === 'NEWEST_FIRST' ? -compared : compared;
}
