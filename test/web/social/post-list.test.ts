/** What a page shows of posts that arrive, change and disappear. */
import { describe, expect, it } from 'vitest';
import { FIRST, hear, type Post, showWaiting, startAgain, startList } from '../../../web/src/social/data/post-list.js';

const post = (day: number): Post => ({ id: `post ${day}`, postedAt: new Date(2026, 0, day).toISOString() }) as Post;
/** Newest first. */
const days = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => post(from - at));
const nobody = () => false;
const ids = (posts: readonly Post[]) => posts.map(({ id }) => id);

describe('a list that starts again', () => {
  const list = startList(days(30, 11));

  it('offers what is newer, and fills its end with what has moved up', () => {
    const told = [post(31), ...days(29, 10), post(9)].slice(0, FIRST + 2); // 30 is gone
    const again = startAgain(list, told, nobody);
    expect(ids(again.waiting)).toEqual(['post 31']);
    expect(ids(again.shown)).toEqual(ids(days(29, 9)));
    expect(ids(showWaiting(again).shown)).toEqual(['post 31', ...ids(days(29, 9))]);
  });

  it('keeps older posts, which were not told again', () => {
    const older = hear({ ...list, isWhole: true }, { posts: [post(5)], removed: [] }, () => true);
    const again = startAgain(older, days(30, 11), nobody);
    expect(ids(again.shown)).toEqual([...ids(days(30, 11)), 'post 5']);
    expect(again.waiting).toEqual([]);
  });
});
