/** The texts in the mutations of people. */
import { call, type TextPlaces } from '../../support/domain/text-places.js';

const PASSWORD = 'correct horse battery staple';

export const textPlaces: TextPlaces = {
  names: {
    'SignUpInput.name': (name) =>
      call('signUp(input: $v)', 'SignUpInput!', { name, email: 'n@example.org', password: PASSWORD }),
    'AcceptInvitationInput.name': (name) =>
      call('acceptInvitation(input: $v)', 'AcceptInvitationInput!', { name, token: 'none', password: PASSWORD }),
    'changeName.name': (name) => call('changeName(name: $v)', 'String!', name),
    'ApiKeyInput.name': (name) => call('createApiKey(input: $v)', 'ApiKeyInput!', { name, scopes: ['HITS_WRITE'] }),
  },
  others: ['SignUpInput.password', 'AcceptInvitationInput.token', 'AcceptInvitationInput.password'],
};
