/** The category tree and its mutations. */
import { graphql } from '../../../../generated/gql.js';
import type { CategoryNodeFragment, CategoryPageQuery } from '../../../../generated/graphql.js';
import { mutate } from '../../../api/client.js';

export type CategoryNode = CategoryNodeFragment;
export type CategoryDetail = NonNullable<CategoryPageQuery['category']>;

graphql(`
  fragment CategoryNode on Category { id slug name childCount productCount }
`);

export const CategoryRootsDocument = graphql(`
  query CategoryRoots {
    categories { ...CategoryNode }
  }
`);

export const CategoryChildrenDocument = graphql(`
  query CategoryChildren($slug: String!) {
    category(slug: $slug) { id children { ...CategoryNode } }
  }
`);

export const CategoryPageDocument = graphql(`
  query CategoryPage($slug: String!) {
    category(slug: $slug) {
      ...CategoryNode
      ancestors { id slug name }
      products(includeDescendants: true, first: 20) {
        edges { cursor node { ...ProductSummary } }
        pageInfo { hasNextPage }
      }
    }
  }
`);

const AddCategoryDocument = graphql(`
  mutation AddCategory($input: AddCategoryInput!) {
    addCategory(input: $input) {
      __typename
      ... on Category { ...CategoryNode }
      ... on Refusal { message }
    }
  }
`);

const MoveCategoryDocument = graphql(`
  mutation MoveCategory($slug: String!, $under: String) {
    moveCategory(slug: $slug, under: $under) {
      __typename
      ... on Category { ...CategoryNode }
      ... on Refusal { message }
    }
  }
`);

const RenameCategoryDocument = graphql(`
  mutation RenameCategory($slug: String!, $name: String, $newSlug: String) {
    renameCategory(slug: $slug, name: $name, newSlug: $newSlug) {
      __typename
      ... on Category { ...CategoryNode }
      ... on Refusal { message }
    }
  }
`);

const RemoveCategoryDocument = graphql(`
  mutation RemoveCategory($slug: String!, $moveContentsTo: String) {
    removeCategory(slug: $slug, moveContentsTo: $moveContentsTo) {
      __typename
      ... on Refusal { message }
    }
  }
`);

/** Lists of categories may be empty, and then contain no type for the cache. */
export const ofCategories = { additionalTypenames: ['Category'] };

type Outcome =
  | ({ readonly __typename: 'Category' } & CategoryNode)
  | { readonly __typename: string; readonly message: string };

const settle = (answer: Outcome | string): CategoryNode | string => {
  if (typeof answer === 'string') return answer;
  return 'message' in answer ? answer.message : answer;
};

/** @returns the category, or why it was refused */
export async function addCategory(input: { name: string; slug: string; under: string | null }) {
  const answer = await mutate(AddCategoryDocument, { input }, ofCategories);
  return settle(typeof answer === 'string' ? answer : answer.addCategory);
}

/** @param under null: it becomes a root @returns the category, or why it was refused */
export async function moveCategory(slug: string, under: string | null) {
  const answer = await mutate(MoveCategoryDocument, { slug, under }, ofCategories);
  return settle(typeof answer === 'string' ? answer : answer.moveCategory);
}

/** @returns the category, or why it was refused */
export async function renameCategory(slug: string, name: string, newSlug: string) {
  const answer = await mutate(RenameCategoryDocument, { slug, name, newSlug }, ofCategories);
  return settle(typeof answer === 'string' ? answer : answer.renameCategory);
}

/** @param moveContentsTo null: it is empty @returns why it was refused, or null */
export async function removeCategory(slug: string, moveContentsTo: string | null): Promise<string | null> {
  const answer = await mutate(RemoveCategoryDocument, { slug, moveContentsTo }, ofCategories);
  if (typeof answer === 'string') return answer;
  const { removeCategory: outcome } = answer;
  return 'message' in outcome ? outcome.message : null;
}

/** "Sea charts & maps" as `sea-charts-maps`: the default slug of a new category. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
}
