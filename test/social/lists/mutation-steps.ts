/** The mutations of the network. Each step needs the previous ones. */
import type { MutationStep } from '../../support/domain/mutation-step.js';

const told =
  (name: string) =>
  ({ id }: Readonly<Record<string, string>>) => ({ [name]: String(id) });

export const mutationSteps: readonly MutationStep[] = [
  {
    mutation: 'signUp',
    text: () =>
      '(input: { email: "fay@example.org", password: "correct horse battery staple", name: "Fay" }) { ... on SignedIn { accessToken } }',
    tells: ({ accessToken }) => ({ annToken: String(accessToken) }),
    as: 'visitor',
  },
  { mutation: 'saveProfile', as: 'ann', text: () => '(input: { about: "Sails" }) { id }', tells: told('annInNetwork') },
  { mutation: 'saveProfile', text: () => '(input: { about: "Runs the shop" }) { id }' },
  {
    mutation: 'createCircle',
    text: () => '(name: "Crew") { ... on Circle { id } }',
    tells: told('crew'),
  },
  { mutation: 'renameCircle', text: ({ crew }) => `(id: "${crew}", name: "Friends") { __typename }` },
  {
    mutation: 'addToCircle',
    text: ({ crew, annInNetwork }) => `(circleId: "${crew}", userId: "${annInNetwork}") { __typename }`,
  },
  {
    mutation: 'publishPost',
    as: 'ann',
    text: () =>
      '(input: { type: POLL, audience: PUBLIC, poll: { question: "Sail?", options: ["Yes", "No"] } }) { ... on Post { id } }',
    tells: told('pollInNetwork'),
  },
  {
    mutation: 'editPost',
    as: 'ann',
    text: ({ pollInNetwork }) => `(id: "${pollInNetwork}", text: "With wind") { __typename }`,
  },
  { mutation: 'voteInPoll', text: ({ pollInNetwork }) => `(postId: "${pollInNetwork}", option: 1) { __typename }` },
  { mutation: 'reportPost', text: ({ pollInNetwork }) => `(id: "${pollInNetwork}", reason: "Rude") { reported }` },
  { mutation: 'dismissReports', text: ({ pollInNetwork }) => `(id: "${pollInNetwork}") { reported }` },
  { mutation: 'rebuildNews', text: ({ annInNetwork }) => `(userId: "${annInNetwork}") { id }` },
  {
    mutation: 'removeFromCircle',
    text: ({ crew, annInNetwork }) => `(circleId: "${crew}", userId: "${annInNetwork}") { __typename }`,
  },
  { mutation: 'deleteCircle', text: ({ crew }) => `(id: "${crew}") { __typename }` },
  { mutation: 'blockPerson', text: ({ annInNetwork }) => `(userId: "${annInNetwork}") { __typename }` },
  { mutation: 'unblockPerson', text: ({ annInNetwork }) => `(userId: "${annInNetwork}") { __typename }` },
  { mutation: 'deletePost', text: ({ pollInNetwork }) => `(id: "${pollInNetwork}") { __typename }` },
];
