/** Nodes: what the lists and the editor read of them, and how their kinds and states are called. */
import { graphql } from '../../../generated/gql.js';
import type { EditorNodeFragment, NodeState, NodeType } from '../../../generated/graphql.js';
import type { IconName } from '../../kit/display/icon.js';
import type { FieldName, Fields, Stored } from '../saving/autosave.js';

graphql(`
  fragment NodeRow on ContentNode {
    __typename
    id type slug title path state nonce version editedAt publishedAt tags
    author { id name }
  }
`);

graphql(`
  fragment EditorNode on ContentNode {
    ...NodeRow
    excerpt url createdAt
    parent { id type title path }
    ... on Page { text }
    ... on BlogPost { text }
    ... on Video { text videoUrl }
    ... on ImagePost { text image { ...Picture } }
    ... on Quote { text source }
    ... on Photo { description image { ...Picture } }
    ... on Blog { description }
    ... on Gallery { description }
  }
`);

export const NodesDocument = graphql(`
  query ContentNodes($filter: NodeFilter!, $first: Int!, $after: String) {
    nodes(filter: $filter, first: $first, after: $after) {
      edges { cursor node { ...NodeRow } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const TrashDocument = graphql(`
  query ContentTrash($first: Int!, $after: String) {
    nodes(filter: { state: DELETED }, first: $first, after: $after) {
      edges { cursor node { ...NodeRow trash { deletedAt restorableUntil formerPath } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** All that other nodes can be below of. */
export const GroupsDocument = graphql(`
  query ContentGroups {
    folders: nodes(filter: { type: FOLDER }, first: 100) { edges { node { ...Group } } }
    blogs: nodes(filter: { type: BLOG }, first: 100) { edges { node { ...Group } } }
    galleries: nodes(filter: { type: GALLERY }, first: 100) { edges { node { ...Group } } }
  }
`);

graphql(`
  fragment Group on ContentNode { __typename id type title path state nonce }
`);

export const GroupDocument = graphql(`
  query ContentGroup($id: ID!) {
    node(id: $id) { __typename id ...Group }
  }
`);

export const OpenNodeDocument = graphql(`
  query OpenNode($id: ID!) {
    node(id: $id) { __typename id ...EditorNode }
  }
`);

export const EditorNodeByPathDocument = graphql(`
  query EditorNodeByPath($path: String!) {
    nodeByPath(path: $path) { __typename id ...EditorNode }
  }
`);

export const TagsDocument = graphql(`
  query ContentTags($prefix: String!, $first: Int!) {
    tags(prefix: $prefix, first: $first) { tag count }
  }
`);

/** A new node must show in lists that were empty. */
export const ofNodes = { additionalTypenames: ['ContentNodeConnection'] };

export type EditorNode = EditorNodeFragment;

interface TypeWords {
  readonly name: string;
  readonly icon: IconName;
  readonly meaning: string;
}

export const typeWords: Readonly<Record<NodeType, TypeWords>> = {
  BLOG_POST: { name: 'Post', icon: 'pen', meaning: 'An article of a blog' },
  PAGE: { name: 'Page', icon: 'file', meaning: 'Text that seldom changes' },
  IMAGE: { name: 'Picture', icon: 'picture', meaning: 'A post with a picture' },
  VIDEO: { name: 'Video', icon: 'video', meaning: 'A post with a video' },
  QUOTE: { name: 'Quote', icon: 'quote', meaning: 'A post with a quotation' },
  PHOTO: { name: 'Photo', icon: 'picture', meaning: 'A photo of a gallery' },
  BLOG: { name: 'Blog', icon: 'table', meaning: 'Groups posts, newest first' },
  GALLERY: { name: 'Gallery', icon: 'picture', meaning: 'Groups photos' },
  FOLDER: { name: 'Folder', icon: 'folder', meaning: 'Groups pages, blogs and galleries' },
};

export const stateWords: Readonly<Record<NodeState, string>> = {
  DRAFT: 'Draft',
  SCHEDULED: 'Scheduled',
  PUBLISHED: 'Published',
  DELETED: 'In the trash',
};

export const isGroup = (type: NodeType): boolean => type === 'FOLDER' || type === 'BLOG' || type === 'GALLERY';

/** The kinds that authors write. */
export const isWork = (type: NodeType): boolean => !isGroup(type) && type !== 'PAGE';

/** What a node of each kind can be below of. Null: also at the top level. */
const parentsOf: Readonly<Record<NodeType, readonly (NodeType | null)[]>> = {
  BLOG_POST: ['BLOG'],
  IMAGE: ['BLOG'],
  VIDEO: ['BLOG'],
  QUOTE: ['BLOG'],
  PHOTO: ['GALLERY'],
  PAGE: [null, 'FOLDER'],
  BLOG: [null, 'FOLDER'],
  GALLERY: [null, 'FOLDER'],
  FOLDER: [null, 'FOLDER'],
};

export const canBeBelow = (type: NodeType, parent: NodeType | null): boolean => parentsOf[type].includes(parent);

/** The kinds that a group takes, or the top level. A photo is made by its upload. */
export const typesBelow = (parent: NodeType | null): NodeType[] =>
  (Object.keys(typeWords) as NodeType[]).filter((type) => type !== 'PHOTO' && canBeBelow(type, parent));

/** Where a node is opened in the dashboard. */
export const addressOf = ({ id, type }: { readonly id: string; readonly type: NodeType }): string =>
  `${type === 'GALLERY' ? '/content/gallery?id=' : '/content/edit?id='}${encodeURIComponent(id)}`;

const editable: readonly FieldName[] = ['title', 'excerpt', 'text', 'description', 'videoUrl', 'source'];

/** A node as the autosave sees it: the fields that the node has. */
export function storedOf(node: EditorNode): Stored {
  const values = node as Partial<Record<FieldName, string | null>>;
  const fields: Fields = Object.fromEntries(
    editable.filter((name) => name in node).map((name) => [name, values[name] ?? null]),
  );
  return {
    nonce: node.nonce,
    version: node.version,
    fields: {
      ...fields,
      ...('image' in node && { imageId: node.image?.id ?? null }),
      publishedAt: node.publishedAt ?? null,
    },
    isDraft: node.state === 'DRAFT',
    by: null,
  };
}
