/** A blog's newest posts, as they are published. */
import { follow } from './follow.js';
import { hideNotice, showNotice } from './notice.js';
import { fetchPresent, oneAtATime } from './present.js';
import RECENT_POSTS from './recent-posts.graphql?raw';

interface Data {
  readonly recentPostsChanged: {
    readonly posts: readonly { readonly id: string; readonly nonce: string }[];
    readonly removed: readonly string[];
  };
}

/** Of the server. */
const POSTS_PER_PAGE = 20;
/** A reader who has scrolled further does not see what arrives at the top. */
const AT_TOP_PX = 200;
/** The page may have been rendered just before the change. */
const ATTEMPTS_MAX = 3;

export function followBlog(blogId: string): void {
  const expected = new Map<string, string>();
  const gone = new Set<string>();
  let attempts = 0;
  const isPresent = (): boolean => {
    const shown = shownPosts();
    return (
      [...expected].every(([id, nonce]) => shown.get(id)?.dataset.nonce === nonce) &&
      ![...gone].some((id) => shown.has(id))
    );
  };
  const update = oneAtATime(async () => {
    if (isPresent() || attempts >= ATTEMPTS_MAX) return;
    attempts += 1;
    const present = await fetchPresent();
    if (present) showPosts(present.document);
    if (!isPresent()) update();
  });
  follow<Data>(RECENT_POSTS, { blogId, first: POSTS_PER_PAGE }, ({ recentPostsChanged: { posts, removed } }) => {
    for (const { id, nonce } of posts) {
      expected.set(id, nonce);
      gone.delete(id);
    }
    for (const id of removed) {
      expected.delete(id);
      gone.add(id);
    }
    attempts = 0;
    update();
  });
}

const postsOf = (page: Document) => [...page.querySelectorAll<HTMLElement>('.entry')];
const shownPosts = () => new Map(postsOf(document).map((post) => [post.dataset.id ?? '', post]));

/** Elements of unchanged posts stay in place, so that nothing moves under the reader's eyes and no video stops. */
function showPosts(present: Document): void {
  const shown = shownPosts();
  const list = document.querySelector('.entries');
  const posts = postsOf(present).map((post) => {
    const before = shown.get(post.dataset.id ?? '');
    if (before?.dataset.nonce === post.dataset.nonce && before) return before;
    post.classList.toggle('fresh', !before);
    return document.importNode(post, true);
  });
  const main = present.querySelector('main');
  if (!list || posts.length === 0) {
    if (main) document.querySelector('main')?.replaceChildren(...main.childNodes); // from or to an empty blog
  } else {
    for (const [at, post] of posts.entries())
      if (list.children[at] !== post) list.insertBefore(post, list.children[at] ?? null);
    while (list.children.length > posts.length) list.lastElementChild?.remove();
  }
  announce(posts.filter(({ dataset }) => !shown.has(dataset.id ?? '')).length);
}

function announce(count: number): void {
  if (count === 0 || scrollY < AT_TOP_PX) return;
  showNotice(count === 1 ? '1 new post' : `${count} new posts`, () => scrollTo({ top: 0 }));
  addEventListener('scroll', function atTop() {
    if (scrollY >= AT_TOP_PX) return;
    hideNotice();
    removeEventListener('scroll', atTop);
  });
}
