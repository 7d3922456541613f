/** Product categories. */
import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import type {
  AddCategoryResultResolvers,
  CategoryResolvers,
  MoveCategoryResultResolvers,
  MutationResolvers,
  QueryResolvers,
  RemoveCategoryResultResolvers,
  RenameCategoryResultResolvers,
} from '../../generated/resolvers.js';
import { findCategory, findCategoryWithChildren, findRoots } from '../../models/commerce/catalog/category.js';
import {
  addCategory,
  moveCategory,
  removeCategory,
  renameCategory,
} from '../../models/commerce/catalog/category-change.js';
import { toGlobalId } from '../../shared/global-id.js';
import { actOfViewer } from '../people/act.js';
import { resultType } from '../support/result-type.js';

export const Category: CategoryResolvers = {
  id: ({ _id }) => toGlobalId('Category', _id),
  children: (category, _args, { loaders }) =>
    'children' in category ? (category.children as never) : loaders().children.load(category._id),
  childCount: (category, _args, { loaders }) =>
    'children' in category ? (category.children as readonly unknown[]).length : loaders().childCount.load(category._id),
  productCount: ({ product_count }) => product_count,
  products: ({ _id }, { includeDescendants, first, after, freshness }, { loaders }) =>
    loaders().productsOf({ includeDescendants, first, after, freshness }).load(_id),
};

export const CategoryAncestor = {
  id: ({ _id }: { readonly _id: string }) => toGlobalId('Category', _id),
};

export const RemovedCategory = {
  slug: ({ removedSlug }: { readonly removedSlug: string }) => removedSlug,
};

export const AddCategoryResult: AddCategoryResultResolvers = { __resolveType: resultType('Category') };
export const MoveCategoryResult: MoveCategoryResultResolvers = { __resolveType: resultType('Category') };
export const RenameCategoryResult: RenameCategoryResultResolvers = { __resolveType: resultType('Category') };
export const RemoveCategoryResult: RemoveCategoryResultResolvers = { __resolveType: resultType('RemovedCategory') };

export const Query: Pick<QueryResolvers, 'category' | 'categories'> = {
  category: (_root, { slug }, { db }, info) =>
    selects(info, 'children') ? findCategoryWithChildren(db, slug) : findCategory(db, slug),
  categories: (_root, _args, { db }) => findRoots(db),
};

/** Whether a field is selected below this one. A field that a directive excludes is fetched needlessly. */
function selects({ fieldNodes, fragments }: GraphQLResolveInfo, field: string): boolean {
  const within = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((selection) => {
      if (selection.kind === 'Field') return selection.name.value === field;
      return within(
        selection.kind === 'InlineFragment' ? selection.selectionSet : fragments[selection.name.value]?.selectionSet,
      );
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => within(selectionSet));
}

export const Mutation: Pick<MutationResolvers, 'addCategory' | 'moveCategory' | 'renameCategory' | 'removeCategory'> = {
  addCategory: (_root, { input }, { db, requestId }) => addCategory(db, requestId, input),
  moveCategory: (_root, { slug, under }, { db, requestId }) => moveCategory(db, requestId, slug, under ?? null),
  renameCategory: (_root, { slug, name, newSlug }, { db, requestId }) =>
    renameCategory(db, requestId, slug, { name, newSlug }),
  removeCategory: async (_root, { slug, moveContentsTo }, context) =>
    removeCategory(context.db, context.requestId, await actOfViewer(context), slug, moveContentsTo ?? null),
};
