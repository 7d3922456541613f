/** A page that is changed while it is read. */
import { follow } from './follow.js';
import NODE from './node.graphql?raw';
import { showNotice } from './notice.js';
import { fetchPresent, oneAtATime, type Present } from './present.js';

interface Data {
  readonly nodeChanged: { readonly node: { readonly nonce: string } | null };
}

export function followNode(id: string): void {
  let nonce = document.querySelector<HTMLElement>('main')?.dataset.nonce;
  const update = oneAtATime(async () => {
    const present = await fetchPresent();
    if (!present) return tellRemoved();
    // A video that is being watched is not interrupted.
    if (document.querySelector('iframe')) showNotice('This page was changed', () => show(present));
    else show(present);
  });
  follow<Data>(NODE, { id }, ({ nodeChanged: { node } }) => {
    if (!node) return tellRemoved();
    if (node.nonce === nonce) return;
    nonce = node.nonce;
    update();
  });
}

export const tellRemoved = (): void => showNotice('This page is no longer public');

function show({ document: present, address }: Present): void {
  const main = present.querySelector('main');
  if (!main) return;
  const discussion = document.querySelector('#discussion')?.closest('main > *');
  if (discussion) main.querySelector('#discussion')?.replaceWith(discussion); // it is live, and somebody may be writing
  document.querySelector('main')?.replaceChildren(...main.childNodes);
  document.title = present.title;
  if (address !== location.href) history.replaceState(null, '', address);
}
