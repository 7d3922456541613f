/** The mutations of people, except those that need an email. Each step needs the previous ones. */
import type { Known, MutationStep } from '../../support/domain/mutation-step.js';

const PASSWORD = 'correct horse battery staple';
const ANN = `email: "ann@example.org", password: "${PASSWORD}"`;

export const mutationSteps: readonly MutationStep[] = [
  {
    mutation: 'createApiKey',
    text: () => '(input: { name: "Key", scopes: [HITS_WRITE] }) { apiKey { id } }',
    tells: ({ apiKey }) => ({ key: (apiKey as unknown as Known).id ?? '' }),
  },
  { mutation: 'revokeApiKey', text: ({ key }) => `(id: "${key}") { id }` },
  {
    mutation: 'invite',
    text: () => '(input: { email: "bob@example.org" }) { ... on Invited { link } }',
    tells: ({ link }) => ({ invitation: link?.split('#')[1] ?? '' }),
  },
  {
    mutation: 'acceptInvitation',
    text: ({ invitation }) =>
      `(input: { token: "${invitation}", name: "Bob", password: "${PASSWORD}" }) { __typename }`,
    as: 'visitor',
  },
  {
    mutation: 'invite',
    text: () => '(input: { email: "cid@example.org" }) { ... on Invited { invitation { id } } }',
    tells: ({ invitation }) => ({ invited: (invitation as unknown as Known).id ?? '' }),
  },
  { mutation: 'withdrawInvitation', text: ({ invited }) => `(id: "${invited}") { withdrawn }` },
  {
    mutation: 'signUp',
    text: () => `(input: { ${ANN}, name: "Ann" }) { ... on SignedIn { viewer { id } } }`,
    tells: ({ viewer }) => ({ ann: (viewer as unknown as Known).id ?? '' }),
    as: 'visitor',
  },
  { mutation: 'grantRole', text: ({ ann }) => `(userId: "${ann}", role: EDITOR) { id }` },
  { mutation: 'revokeRole', text: ({ ann }) => `(userId: "${ann}", role: EDITOR) { id }` },
  {
    mutation: 'signIn',
    text: () => `(${ANN}) { ... on SignedIn { accessToken refreshToken } }`,
    tells: ({ accessToken, refreshToken }) => ({ annToken: String(accessToken), refreshToken: String(refreshToken) }),
    as: 'visitor',
  },
  { mutation: 'changeName', text: () => '(name: "Anna") { id }', as: 'ann' },
  {
    mutation: 'changePassword',
    text: () => `(password: "${PASSWORD}", newPassword: "${PASSWORD}!") { __typename }`,
    as: 'ann',
  },
  {
    mutation: 'signIn',
    text: () => `(email: "ann@example.org", password: "${PASSWORD}!") { ... on SignedIn { accessToken refreshToken } }`,
    tells: ({ accessToken, refreshToken }) => ({ annToken: String(accessToken), refreshToken: String(refreshToken) }),
    as: 'visitor',
  },
  {
    mutation: 'refresh',
    text: ({ refreshToken }) => `(refreshToken: "${refreshToken}") { ... on SignedIn { accessToken } }`,
    tells: ({ accessToken }) => ({ annToken: String(accessToken) }),
    as: 'visitor',
  },
  { mutation: 'signOut', text: () => '{ signedOut }', as: 'ann' },
  {
    mutation: 'signIn',
    text: () => `(email: "ann@example.org", password: "${PASSWORD}!") { ... on SignedIn { accessToken } }`,
    tells: ({ accessToken }) => ({ annToken: String(accessToken) }),
    as: 'visitor',
  },
  { mutation: 'deleteAccount', text: () => `(password: "${PASSWORD}!") { __typename }`, as: 'ann' },
  {
    mutation: 'signUp',
    text: () =>
      `(input: { email: "dan@example.org", password: "${PASSWORD}", name: "Dan" }) { ... on SignedIn { viewer { id } } }`,
    tells: ({ viewer }) => ({ dan: (viewer as unknown as Known).id ?? '' }),
    as: 'visitor',
  },
  { mutation: 'deleteUser', text: ({ dan }) => `(userId: "${dan}") { __typename }` },
];
