/** The list of posts: what shows at once, what waits, what is ignored. And the links in their texts. */
import { describe, expect, it } from 'vitest';
import {
  addPage,
  FIRST,
  hear,
  type Post,
  type PostList,
  replaceAll,
  showWaiting,
  startAgain,
  startList,
} from '../../web/src/social/data/post-list.js';
import { partsOf } from '../../web/src/social/parts/text-parts.js';

const post = (id: number, text = '') =>
  ({ id: `${id}`, text, postedAt: new Date(id * 60_000).toISOString(), author: { id: 'ben' } }) as Post;
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => post(from - at));
const ids = (posts: readonly Post[]) => posts.map(({ id }) => Number(id));
const tell = (list: PostList, posts: readonly Post[], removed: readonly string[] = []) =>
  hear(list, { posts, removed }, ({ author }) => author.id === 'ann');

describe('a list of posts', () => {
  it('lets new posts of others wait, and shows own ones at once', () => {
    const list = startList(range(3, 1));
    const own = { ...post(5), author: { id: 'ann' } } as Post;
    const told = tell(list, [own, post(4)]);
    expect(ids(told.shown)).toEqual([5, 3, 2, 1]);
    expect(ids(told.waiting)).toEqual([4]);
    const shown = showWaiting(told);
    expect(ids(shown.shown)).toEqual([5, 4, 3, 2, 1]);
    expect(shown.waiting).toEqual([]);
  });

  it('shows the first posts of an empty list at once', () => {
    expect(ids(tell(startList([]), [post(1)]).shown)).toEqual([1]);
  });

  it('changes posts in place, whether they show or wait', () => {
    const list = tell(startList(range(2, 1)), [post(3)]);
    const told = tell(list, [post(3, 'new'), post(1, 'new')]);
    expect(told.shown.map(({ text }) => text)).toEqual(['', 'new']);
    expect(told.waiting.map(({ text }) => text)).toEqual(['new']);
  });

  it('removes posts, and ignores ids that it does not know', () => {
    const list = tell(startList(range(2, 1)), [post(3)]);
    const told = tell(list, [], ['3', '2', '99']);
    expect(ids(told.shown)).toEqual([1]);
    expect(told.waiting).toEqual([]);
  });

  it('ignores changes below what is shown, until it is read', () => {
    const list = startList(range(FIRST + 10, 11));
    expect(list.isWhole).toBe(false);
    expect(tell(list, [post(5)])).toEqual(list);
    const read = addPage(list, { posts: range(FIRST + 10, 1), end: null });
    expect(ids(read.shown)).toEqual(ids(range(FIRST + 10, 1)));
    expect(read.isWhole).toBe(true);
  });

  it('does not show a waiting post twice when it is read with a page', () => {
    const list = tell(startList(range(FIRST + 1, 2)), [post(FIRST + 2)]);
    const read = addPage(list, { posts: range(FIRST + 2, 1), end: null });
    expect(ids(showWaiting(read).shown)).toEqual(ids(range(FIRST + 2, 1)));
  });

  const isOwn = ({ author }: Post) => author.id === 'ann';

  it('keeps its place after a reset: what is gone disappears, what is new waits', () => {
    const list = startList(range(5, 1));
    const again = startAgain(list, [post(7), post(5), post(4, 'new'), post(1)], isOwn);
    expect(ids(again.shown)).toEqual([5, 4, 1]);
    expect(again.shown[1]?.text).toBe('new');
    expect(ids(again.waiting)).toEqual([7]);
    expect(again.isWhole).toBe(true);
  });

  it('keeps older posts after a reset until they are read again', () => {
    const list = addPage(startList(range(FIRST + 10, 11)), { posts: range(10, 1), end: 'cursor' });
    const again = startAgain(list, range(FIRST + 11, 12), isOwn);
    expect(ids(again.shown)).toEqual(ids(range(FIRST + 10, 1)));
    expect(ids(again.waiting)).toEqual([FIRST + 11]);
    const read = replaceAll(again, { posts: [...range(FIRST + 11, 12), post(9), post(8)], end: 'next' }, isOwn);
    expect(ids(read.shown)).toEqual([...ids(range(FIRST + 10, 12)), 9, 8]);
    expect(ids(read.waiting)).toEqual([FIRST + 11]);
    expect(read.end).toBe('next');
  });

  it('starts anew if nothing of what was shown is left', () => {
    expect(ids(startAgain(startList(range(3, 2)), [post(5)], isOwn).shown)).toEqual([5]);
    expect(startAgain(startList(range(3, 2)), [], isOwn)).toEqual(startList([]));
  });
});

describe('the text of a post', () => {
  it('links complete addresses only, without the end of the sentence', () => {
    expect(partsOf('See https://example.org/a?b=1, or (http://example.org).')).toEqual([
      { text: 'See ' },
      { text: 'https://example.org/a?b=1', href: 'https://example.org/a?b=1' },
      { text: ', or (' },
      { text: 'http://example.org', href: 'http://example.org/' },
      { text: ').' },
    ]);
    expect(partsOf('javascript:alert(1) https:// "data:text/html,x"')).toEqual([
      { text: 'javascript:alert(1) https:// "data:text/html,x"' },
    ]);
  });
});
