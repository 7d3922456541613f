/** How the sample content is written down. */
import type { Moment } from '../../../seed.js';
import type { DrawingName } from '../../../system/sample-pictures/drawing.js';
import type { NodeType } from '../../nodes/node.js';

export interface SampleNode {
  readonly type: NodeType;
  /** The slugs of the nodes above it and its own. */
  readonly path: string;
  readonly title: string;
  readonly author: string;
  /** From when on everybody can see it. Null for a draft. */
  readonly published: Moment | null;
  readonly excerpt?: string;
  readonly tags?: readonly string[];
  /** Markdown. `![…](photo:<slug>)` shows the picture of a photo of the gallery. */
  readonly text?: string;
  /** The text of its first version, a draft. */
  readonly firstText?: string;
  readonly description?: string;
  readonly source?: string;
  readonly videoUrl?: string;
  /** Of a photo: what is drawn for it. */
  readonly drawing?: DrawingName;
  /** Of an image post: the slug of the photo whose picture it shows. */
  readonly photo?: string;
}

export const ELIN = 'Elin Halvorsen';
export const TOMAS = 'Tomas Reed';
