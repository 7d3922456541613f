/** Texts as feeds need them: characters that XML allows, and addresses that hold outside of the site. */
import sanitizeHtml from 'sanitize-html';

/** What XML 1.0 does not allow, not even escaped. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

export const xmlText = (text: string): string => text.toWellFormed().replace(NOT_IN_XML, '');

/** Feed readers have style sheets of their own, and know nothing of ours. */
const ATTRIBUTES: sanitizeHtml.IOptions['allowedAttributes'] = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  ol: ['start'],
  th: ['align', 'colspan', 'rowspan'],
  td: ['align', 'colspan', 'rowspan'],
};

/**
 * Sanitized HTML of a page for a feed: without classes and ids, with absolute addresses.
 * @param page the absolute address of the page
 */
export function feedHtml(html: string, page: string): string {
  const absolute = (name: string) => (tag: string, attributes: sanitizeHtml.Attributes) => {
    const address = attributes[name];
    if (address === undefined || !URL.canParse(address, page)) return { tagName: tag, attribs: {} };
    return { tagName: tag, attribs: { ...attributes, [name]: new URL(address, page).href } };
  };
  return xmlText(
    sanitizeHtml(html, {
      allowedTags: sanitizeHtml.defaults.allowedTags.concat('img', 'del', 'ins'),
      allowedAttributes: ATTRIBUTES,
      transformTags: { a: absolute('href'), img: absolute('src') },
    }),
  );
}
