/** What editors do to nodes. Each command is safe to repeat: it has an idempotency key, or repeating it changes nothing. */
import { graphql } from '../../../generated/gql.js';
import type { CreateNodeInput } from '../../../generated/graphql.js';
import { explainError, mutate, mutateOnce, uncachedClient } from '../../api/client.js';
import type { FieldConflict, FieldName, SaveRequest, Stored } from '../saving/autosave.js';
import { type EditorNode, ofNodes, storedOf } from './nodes.js';

const CreateNodeDocument = graphql(`
  mutation CreateNode($input: CreateNodeInput!, $key: String!) {
    createNode(input: $input, idempotencyKey: $key) {
      __typename
      ... on ContentNode { ...EditorNode }
      ... on SlugTaken { message suggestion }
      ... on Refusal { message }
    }
  }
`);

const EditNodeDocument = graphql(`
  mutation EditNode($id: ID!, $nonce: String!, $changes: NodeChanges!, $key: String!) {
    editNode(id: $id, nonce: $nonce, changes: $changes, idempotencyKey: $key) {
      __typename
      ... on ContentNode { ...EditorNode }
      ... on EditConflict { message theirs { ...EditorNode } differences { field base yours theirs merged } }
      ... on Refusal { message }
    }
  }
`);

const MoveNodeDocument = graphql(`
  mutation MoveNode($id: ID!, $nonce: String!, $slug: String, $parentId: ID, $key: String!) {
    moveNode(id: $id, nonce: $nonce, slug: $slug, parentId: $parentId, idempotencyKey: $key) {
      __typename
      ... on ContentNode { ...EditorNode }
      ... on SlugTaken { message suggestion }
      ... on Refusal { message }
    }
  }
`);

const DeleteNodeDocument = graphql(`
  mutation DeleteNode($id: ID!, $nonce: String!, $key: String!) {
    deleteNode(id: $id, nonce: $nonce, idempotencyKey: $key) {
      __typename
      ... on DeletedNode { id restorableUntil }
      ... on Refusal { message }
    }
  }
`);

const RestoreNodeDocument = graphql(`
  mutation RestoreNode($id: ID!, $slug: String) {
    restoreNode(id: $id, slug: $slug) {
      __typename
      ... on ContentNode { ...EditorNode }
      ... on SlugTaken { message suggestion }
      ... on Refusal { message }
    }
  }
`);

const RestoreVersionDocument = graphql(`
  mutation RestoreVersion($id: ID!, $version: Int!, $nonce: String!, $key: String!) {
    restoreVersion(id: $id, version: $version, nonce: $nonce, idempotencyKey: $key) {
      __typename
      ... on ContentNode { ...EditorNode }
      ... on Refusal { message }
    }
  }
`);

const AddTagsDocument = graphql(`
  mutation AddTags($id: ID!, $tags: [String!]!) { addTags(id: $id, tags: $tags) { ...EditorNode } }
`);

const RemoveTagsDocument = graphql(`
  mutation RemoveTags($id: ID!, $tags: [String!]!) { removeTags(id: $id, tags: $tags) { ...EditorNode } }
`);

/** A refusal: why, and perhaps a slug that is free. */
export interface Refused {
  readonly refusal: string;
  readonly suggestion?: string;
}

export type NodeOrRefused = EditorNode | Refused;

export const isRefused = (outcome: NodeOrRefused): outcome is Refused => 'refusal' in outcome;

type Outcome = string | EditorNode | { readonly message: string; readonly suggestion?: string };

function read(outcome: Outcome): NodeOrRefused {
  if (typeof outcome === 'string') return { refusal: outcome };
  if (!('message' in outcome)) return outcome;
  return { refusal: outcome.message, ...('suggestion' in outcome && { suggestion: outcome.suggestion }) };
}

/** The one field of an answer, or why there is none. */
const fieldOf = <Data, Name extends keyof Data>(answer: string | Data, name: Name): string | Data[Name] =>
  typeof answer === 'string' ? answer : answer[name];

export const createNode = async (input: CreateNodeInput): Promise<NodeOrRefused> =>
  read(fieldOf(await mutateOnce(CreateNodeDocument, { input }, ofNodes), 'createNode'));

export async function moveNode(
  node: Pick<EditorNode, 'id' | 'nonce'>,
  to: { readonly slug?: string; readonly parentId?: string | null },
): Promise<NodeOrRefused> {
  const { id, nonce } = node;
  return read(fieldOf(await mutateOnce(MoveNodeDocument, { id, nonce, ...to }, ofNodes), 'moveNode'));
}

export const restoreVersion = async (
  { id, nonce }: Pick<EditorNode, 'id' | 'nonce'>,
  version: number,
): Promise<NodeOrRefused> =>
  read(fieldOf(await mutateOnce(RestoreVersionDocument, { id, nonce, version }), 'restoreVersion'));

export const restoreNode = async (id: string, slug?: string): Promise<NodeOrRefused> =>
  read(fieldOf(await mutate(RestoreNodeDocument, { id, ...(slug && { slug }) }, ofNodes), 'restoreNode'));

/** @returns why it was refused, or null */
export async function deleteNode({
  id,
  nonce,
}: {
  readonly id: string;
  readonly nonce: string;
}): Promise<string | null> {
  const outcome = fieldOf(await mutateOnce(DeleteNodeDocument, { id, nonce }, ofNodes), 'deleteNode');
  if (typeof outcome === 'string') return outcome;
  return 'message' in outcome ? outcome.message : null;
}

export const addTags = async (id: string, tags: string[]): Promise<NodeOrRefused> =>
  read(fieldOf(await mutate(AddTagsDocument, { id, tags }), 'addTags'));

export const removeTags = async (id: string, tags: string[]): Promise<NodeOrRefused> =>
  read(fieldOf(await mutate(RemoveTagsDocument, { id, tags }), 'removeTags'));

export type SaveOutcome =
  | { readonly kind: 'stored'; readonly node: EditorNode }
  | { readonly kind: 'conflict'; readonly theirs: Stored; readonly conflicts: readonly FieldConflict[] }
  | { readonly kind: 'refused'; readonly message: string }
  /** It may have been saved: the same request must be repeated. */
  | { readonly kind: 'unknown' };

/** Errors after which nothing was saved, and a repeat would fail alike. */
const FINAL = [
  'BAD_USER_INPUT',
  'FORBIDDEN',
  'LIMIT_EXCEEDED',
  'IDEMPOTENCY_KEY_REUSED',
  'NOT_FOUND',
  'UNAUTHENTICATED',
];

export async function saveNode(id: string, { key, nonce, changes }: SaveRequest): Promise<SaveOutcome> {
  const { data, error } = await uncachedClient.mutation(EditNodeDocument, { id, nonce, changes, key }).toPromise();
  if (!data) {
    const code = error?.graphQLErrors[0]?.extensions?.code;
    return error && FINAL.includes(String(code))
      ? { kind: 'refused', message: explainError(error) }
      : { kind: 'unknown' };
  }
  const { editNode } = data;
  if (editNode.__typename === 'EditConflict')
    return {
      kind: 'conflict',
      theirs: storedOf(editNode.theirs),
      conflicts: editNode.differences.map(({ field, base, yours, theirs, merged }) => ({
        field: field as FieldName,
        base: base ?? null,
        yours: yours ?? null,
        theirs: theirs ?? null,
        merged: merged ?? null,
      })),
    };
  if ('message' in editNode) return { kind: 'refused', message: editNode.message };
  return { kind: 'stored', node: editNode };
}
