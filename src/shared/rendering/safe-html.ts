/**
 * The last step of all rendering: only the tags and attributes of this list remain, whatever produced the HTML. There is no script, no
 * style, no frame, no form and no event handler in it, and addresses have no other scheme than those named here.
 */
import sanitize from 'sanitize-html';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const ALIGNMENTS = ['align-left', 'align-center', 'align-right'];
/** Pictures of this product; all others would be requests to foreign servers. */
const OWN_PICTURE = /^(?:https?:\/\/[^/?#\\]+)?\/assets\//;
const NESTING_MAX = 100;

/** Ids of headings have a prefix, so that none can take the place of a property of the page. */
export const HEADING_ID = /^section-[\p{L}\p{N}-]{1,80}$/u;

const OPTIONS: sanitize.IOptions = {
  allowedTags: [
    ...HEADINGS,
    ...['p', 'br', 'hr', 'blockquote', 'pre', 'ul', 'ol', 'li'],
    ...['a', 'em', 'strong', 's', 'del', 'ins', 'sub', 'sup', 'code', 'span', 'img'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'figure', 'figcaption'],
  ],
  allowedAttributes: {
    ...Object.fromEntries(HEADINGS.map((tag) => [tag, ['id']])),
    a: ['href', 'title', 'rel'],
    img: ['src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height', 'loading'],
    ol: ['start'],
  },
  allowedClasses: {
    code: ['hljs', 'language-*'],
    span: ['hljs-*', 'function_', 'class_', 'inherited__', 'language_', 'constant_', 'built_in', 'invoke__'],
    th: ALIGNMENTS,
    td: ALIGNMENTS,
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesAppliedToAttributes: ['href', 'src', 'srcset'],
  allowProtocolRelative: false,
  enforceHtmlBoundary: false,
  nestingLimit: NESTING_MAX,
  transformTags: Object.fromEntries(
    HEADINGS.map((tag) => [
      tag,
      (tagName: string, { id, ...others }: sanitize.Attributes) => ({
        tagName,
        attribs: id !== undefined && HEADING_ID.test(id) ? { ...others, id } : others,
      }),
    ]),
  ),
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !OWN_PICTURE.test(attribs.src ?? ''),
};

/** @param html from anywhere @returns HTML that is safe to insert into a page */
export const safeHtml = (html: string): string => sanitize(html, OPTIONS);
