/** Which kinds of nodes group which others, and how deep the tree may be. */
import type { NodeType } from './node.js';

/** The kinds below each kind that groups others. */
const CHILDREN: Partial<Record<NodeType, readonly NodeType[]>> = {
  FOLDER: ['PAGE', 'FOLDER', 'BLOG', 'GALLERY'],
  BLOG: ['BLOG_POST', 'VIDEO', 'IMAGE', 'QUOTE'],
  GALLERY: ['PHOTO'],
};

const ROOTS: readonly NodeType[] = ['PAGE', 'FOLDER', 'BLOG', 'GALLERY'];

/** The number of slugs in the longest path. */
export const DEPTH_MAX = 8;
/** Groups are at most one level above the deepest nodes. */
export const GROUP_DEPTH_MAX = DEPTH_MAX - 1;

export const isGroup = (type: NodeType): boolean => type in CHILDREN;

export const mayBeRoot = (type: NodeType): boolean => ROOTS.includes(type);

/** Whether a node of one kind may be directly below one of another. */
export const groups = (parent: NodeType, child: NodeType): boolean => CHILDREN[parent]?.includes(child) ?? false;

/** The deepest level at which a node of this kind may be. */
export const depthMaxOf = (type: NodeType): number => (isGroup(type) ? GROUP_DEPTH_MAX : DEPTH_MAX);
