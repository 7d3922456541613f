import type { CommentDesign } from '../discussion/comment.js';
import type { Design } from './design.js';
import { embedded } from './embedded.js';
import { hybrid } from './hybrid.js';
import { oneEach } from './one-each.js';

export const designs: Readonly<Record<CommentDesign, Design>> = {
  ONE_EACH: oneEach,
  EMBEDDED: embedded,
  HYBRID: hybrid,
};
