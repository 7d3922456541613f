/** The list of posts: what shows at once, what waits, what is ignored. */
import { describe, expect, it } from 'vitest';
import {
  addPage,
  FIRST,
  hear,
  type Post,
  type PostList,
  showWaiting,
  startList,
} from '../../web/src/social/data/post-list.js';

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
    const read = addPage(list, range(FIRST + 10, 1), null);
    expect(ids(read.shown)).toEqual(ids(range(FIRST + 10, 1)));
    expect(read.isWhole).toBe(true);
  });

  it('does not show a waiting post twice when it is read with a page', () => {
    const list = tell(startList(range(FIRST + 1, 2)), [post(FIRST + 2)]);
    const read = addPage(list, range(FIRST + 2, 1), null);
    expect(ids(showWaiting(read).shown)).toEqual(ids(range(FIRST + 2, 1)));
  });
});
