/** A gallery and its photos, as they are changed, added, put in order and taken back. */
import { follow } from './follow.js';
import NODE from './node.graphql?raw';
import { tellRemoved } from './node.js';
import { fetchPresent, oneAtATime } from './present.js';
import RECENT_POSTS from './recent-posts.graphql?raw';

interface GalleryData {
  readonly nodeChanged: { readonly node: { readonly nonce: string } | null };
}
interface PhotosData {
  readonly recentPostsChanged: { readonly posts: readonly { readonly id: string; readonly nonce: string }[] };
}

/** Of the server. */
const PHOTOS_PER_PAGE = 60;

export function followGallery(id: string): void {
  const nonce = document.querySelector<HTMLElement>('main')?.dataset.nonce;
  const update = oneAtATime(async () => {
    const present = await fetchPresent();
    if (present) show(present.document);
    else tellRemoved();
  });
  // The first event of each says what is there: usually what the page shows. All others are changes, also of the order alone.
  let isKnown = false;
  follow<GalleryData>(NODE, { id }, ({ nodeChanged: { node } }) => {
    if (!node) return tellRemoved();
    if (isKnown || node.nonce !== nonce) update();
    isKnown = true;
  });
  let arePhotosKnown = false;
  follow<PhotosData>(RECENT_POSTS, { blogId: id, first: PHOTOS_PER_PAGE }, ({ recentPostsChanged: { posts } }) => {
    const shown = shownPhotos();
    if (arePhotosKnown || posts.some((photo) => shown.get(photo.id)?.dataset.nonce !== photo.nonce)) update();
    arePhotosKnown = true;
  });
}

const photosOf = (page: Document) => [...page.querySelectorAll<HTMLElement>('.grid > li')];
const shownPhotos = () => new Map(photosOf(document).map((photo) => [photo.dataset.id ?? '', photo]));

/** Photos that have not changed are not loaded again, and keep the focus. */
function show(present: Document): void {
  const [before, after] = [document.querySelector('main'), present.querySelector('main')];
  if (!before || !after || before.innerHTML === after.innerHTML) return;
  const focused = document.activeElement;
  const shown = shownPhotos();
  for (const photo of photosOf(present)) {
    const same = shown.get(photo.dataset.id ?? '');
    if (same && same.dataset.nonce === photo.dataset.nonce) photo.replaceWith(same);
  }
  before.replaceChildren(...after.childNodes);
  if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
  document.title = present.title;
}
