/** How the texts, pictures and videos of nodes are shown. */
import type { NodeDocument } from '../../../models/content/nodes/node.js';
import { html } from './pages/html.js';
import type { PictureView, VideoView } from './pages/views.js';

export interface Presentation {
  /** The text as sanitized HTML. */
  html(node: NodeDocument): string | Promise<string>;
  /** For lists and feeds: one or two sentences as plain text. */
  excerpt(node: NodeDocument): string;
  picture(node: NodeDocument): PictureView | null;
  video(node: NodeDocument): VideoView | null;
}

const EXCERPT_LENGTH = 280;

/** Plain text only. */
export const plainPresentation: Presentation = {
  html: ({ detail }) =>
    (detail.text ?? detail.description ?? '')
      .split(/\n{2,}/)
      .filter((paragraph) => paragraph.trim() !== '')
      .map((paragraph) => html`<p>${paragraph}</p>`.text)
      .join('\n'),
  excerpt: ({ excerpt, detail }) => excerpt || (detail.text ?? '').slice(0, EXCERPT_LENGTH),
  picture: () => null,
  video: () => null,
};
