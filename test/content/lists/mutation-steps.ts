/** The mutations of content. Each step needs the previous ones. */
import type { MutationStep } from '../../support/domain/mutation-step.js';

const NODE = '{ __typename ... on ContentNode { id nonce } }';
const tells = ({ id, nonce }: Readonly<Record<string, string>>) => ({ page: String(id), nonce: String(nonce) });

export const mutationSteps: readonly MutationStep[] = [
  { mutation: 'createNode', text: () => `(input: { type: PAGE, title: "A page", tags: ["one"] }) ${NODE}`, tells },
  {
    mutation: 'editNode',
    text: ({ page, nonce }) => `(id: "${page}", nonce: "${nonce}", changes: { text: "More" }) ${NODE}`,
    tells,
  },
  {
    mutation: 'restoreVersion',
    text: ({ page, nonce }) => `(id: "${page}", nonce: "${nonce}", version: 1) ${NODE}`,
    tells,
  },
  {
    mutation: 'moveNode',
    text: ({ page, nonce }) => `(id: "${page}", nonce: "${nonce}", slug: "elsewhere") ${NODE}`,
    tells,
  },
  { mutation: 'addTags', text: ({ page }) => `(id: "${page}", tags: ["two"]) { id }` },
  { mutation: 'removeTags', text: ({ page }) => `(id: "${page}", tags: ["one"]) { id }` },
  { mutation: 'deleteNode', text: ({ page, nonce }) => `(id: "${page}", nonce: "${nonce}") { __typename }` },
  { mutation: 'restoreNode', text: ({ page }) => `(id: "${page}") { __typename }` },
  {
    mutation: 'createNode',
    text: () => `(input: { type: GALLERY, title: "A gallery" }) { ... on Gallery { id } }`,
    tells: ({ id }) => ({ gallery: String(id) }),
  },
  {
    mutation: 'createNode',
    text: ({ gallery }) => `(input: { type: PHOTO, parentId: "${gallery}", title: "A photo" }) { ... on Photo { id } }`,
    tells: ({ id }) => ({ photo: String(id) }),
  },
  { mutation: 'placePhoto', text: ({ photo }) => `(id: "${photo}") { __typename }` },
  { mutation: 'exportContent', text: ({ page }) => `(parentId: "${page}") { id }` },
  { mutation: 'migrateNodes', text: () => '{ id }' },
];
