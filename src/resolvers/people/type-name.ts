/** Of the members of a result union that all name their types, as refusals do. */
export const typeName = (result: { readonly __typename?: string | undefined }) => result.__typename as never;
