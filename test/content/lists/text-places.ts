/** The texts in the mutations of content. */
import { call, type TextPlaces } from '../../support/domain/text-places.js';

const page = { type: 'PAGE', title: 'A title' };
const create = (fields: object) => call('createNode(input: $v)', 'CreateNodeInput!', { ...page, ...fields });

export const textPlaces: TextPlaces = {
  names: {
    'CreateNodeInput.title': (title) => create({ title }),
    'CreateNodeInput.excerpt': (excerpt) => create({ excerpt }),
    'CreateNodeInput.tags': (tag) => create({ tags: [tag] }),
    'CreateNodeInput.source': (source) => create({ type: 'QUOTE', source }),
    'addTags.tags': (tag) => call('addTags(id: "none", tags: $v)', '[String!]!', [tag]),
    'removeTags.tags': (tag) => call('removeTags(id: "none", tags: $v)', '[String!]!', [tag]),
  },
  others: [
    'CreateNodeInput.slug',
    'CreateNodeInput.videoUrl',
    'CreateNodeInput.text', // Markdown of several lines, in any language
    'CreateNodeInput.description', // several lines, in any language
    'NodeChanges.title', // as those of `CreateNodeInput`: see `test/content/nodes/node-edit.test.ts`
    'NodeChanges.excerpt',
    'NodeChanges.text',
    'NodeChanges.description',
    'NodeChanges.videoUrl',
    'NodeChanges.source',
    'editNode.nonce',
    'PhotoInput.title', // as those of `CreateNodeInput`
    'PhotoInput.slug',
    'PhotoInput.description',
    'PhotoInput.tags',
    'moveNode.nonce',
    'moveNode.slug',
    'deleteNode.nonce',
    'restoreNode.slug',
    'restoreVersion.nonce',
  ],
};
