/** The SDL types of a mutation's outcome. Refusals carry their `__typename` (`shared/outcome.ts`); stored documents have none. */

/** `__resolveType` of a result union. @param success the type of the member without a `__typename` */
export const resultType =
  <Success extends string>(success: Success) =>
  (outcome: object): Success =>
    // The refusals' names are those of the SDL: a wrong one would not compile where it is returned.
    ('__typename' in outcome ? outcome.__typename : success) as Success;

/** `__resolveType` of a result union whose members all carry their `__typename`. */
export const typeName = (outcome: { readonly __typename?: string | undefined }) => outcome.__typename as never;
