/** The text of HTML, without its marks. Nothing in it is loaded or run. */
export const textOfHtml = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent.trim();
