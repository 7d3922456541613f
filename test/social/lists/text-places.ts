/** The texts in the mutations of the network. */
import { call, type TextPlaces } from '../../support/domain/text-places.js';

const publish = (input: object) => call('publishPost(input: $v)', 'PostInput!', input);
const poll = (question: string, option: string) =>
  publish({ type: 'POLL', poll: { question, options: [option, 'Another'] } });

export const textPlaces: TextPlaces = {
  names: {
    'ProfileInput.place': (place) => call('saveProfile(input: $v)', 'ProfileInput!', { place }),
    'ProfileInput.interests': (interest) => call('saveProfile(input: $v)', 'ProfileInput!', { interests: [interest] }),
    'createCircle.name': (name) => call('createCircle(name: $v)', 'String!', name),
    'renameCircle.name': (name) => call('renameCircle(id: "none", name: $v)', 'String!', name),
    'PostInput.title': (title) => publish({ type: 'CHECK_IN', title }),
    'PollInput.question': (question) => poll(question, 'One'),
    'PollInput.options': (option) => poll('Which?', option),
    'reportPost.reason': (reason) => call('reportPost(id: "none", reason: $v)', 'String!', reason),
  },
  others: [
    'ImportNetworkInput.source', // a name that comes with an upload: see `test/social/import/network-import-api.test.ts`
    'ProfileInput.about', // several lines, in any language
    'PostInput.text',
    'PostInput.description',
    'PostInput.url', // an address: see `post-input.ts`
    'editPost.text',
    'publishPost.idempotencyKey',
  ],
};
