/** Videos of other sites play in place, after a click: until then the other site learns nothing. */

export function playInPlace(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a.video');
    const { embed, title = '' } = link?.dataset ?? {};
    if (!link || !embed || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const frame = document.createElement('iframe');
    frame.className = 'video';
    frame.title = title;
    frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture';
    frame.allowFullscreen = true;
    frame.referrerPolicy = 'strict-origin-when-cross-origin'; // players refuse to work without one
    const address = new URL(embed);
    address.searchParams.set('autoplay', '1');
    frame.src = address.href;
    link.replaceWith(frame);
    frame.focus();
  });
}
