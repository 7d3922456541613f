/** A short message at the top of the window, announced to screen readers. */

const region = document.createElement('div');
region.setAttribute('role', 'status');

/** Replaces the one before. @param onClick makes it a button */
export function showNotice(text: string, onClick?: () => void): void {
  if (!region.isConnected) document.body.prepend(region);
  const notice = document.createElement(onClick ? 'button' : 'p');
  notice.className = 'news';
  notice.textContent = text;
  if (onClick)
    notice.addEventListener('click', () => {
      hideNotice();
      onClick();
    });
  region.replaceChildren(notice);
}

export const hideNotice = (): void => region.replaceChildren();
