/** For result unions whose members all carry their `__typename`, as refusals do. */
export const typeName = (result: { readonly __typename?: string | undefined }) => result.__typename as never;
