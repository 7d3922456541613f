/** Which kinds of nodes group which others. */
import { expect, it } from 'vitest';
import { groups, isGroup, mayBeRoot } from '../../../src/models/content/nodes/group.js';
import { nodeTypes } from '../../../src/models/content/nodes/node.js';

it('groups posts under blogs, photos under galleries, and everything else under folders', () => {
  const below = (parent: (typeof nodeTypes)[number]) => nodeTypes.filter((type) => groups(parent, type));
  expect(nodeTypes.filter(isGroup)).toEqual(['FOLDER', 'BLOG', 'GALLERY']);
  expect(below('FOLDER')).toEqual(['PAGE', 'FOLDER', 'BLOG', 'GALLERY']);
  expect(below('BLOG')).toEqual(['BLOG_POST', 'VIDEO', 'IMAGE', 'QUOTE']);
  expect(below('GALLERY')).toEqual(['PHOTO']);
  expect(below('PAGE')).toEqual([]);
});

it('lets everything be a root but posts and photos', () => {
  expect(nodeTypes.filter(mayBeRoot)).toEqual(['PAGE', 'FOLDER', 'BLOG', 'GALLERY']);
});
