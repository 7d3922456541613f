/** The change stream stage that removes what nothing reads: who wrote in which session, and fields that no feed uses. */
import type { Document } from 'mongodb';

/** @param fields by collection, for collections whose documents are not read whole */
export function projectEvents(fields: ReadonlyMap<string, readonly string[]>): Document {
  return {
    $project: {
      operationType: 1,
      clusterTime: 1,
      wallTime: 1,
      'ns.coll': 1,
      documentKey: 1,
      fullDocument: narrowed('$fullDocument', fields, someFields),
      updateDescription: narrowed('$updateDescription', fields, someUpdates),
    },
  };
}

function narrowed(
  path: string,
  fields: ReadonlyMap<string, readonly string[]>,
  some: (names: readonly string[]) => Document,
): Document | 1 {
  if (fields.size === 0) return 1;
  const branches = [...fields].map(([collection, names]) => ({
    // For a collection with its own fields, and only if the object exists: a missing one stays missing.
    case: { $and: [{ $eq: ['$ns.coll', collection] }, { $eq: [{ $type: path }, 'object'] }] },
    // biome-ignore lint/suspicious/noThenProperty: the name of a $switch branch
    then: some(names),
  }));
  return { $switch: { branches, default: path } };
}

const someFields = (names: readonly string[]): Document =>
  Object.fromEntries(['_id', ...names].map((name) => [name, `$fullDocument.${name}`]));

/** Updates name dotted paths: only their first segment counts. */
const someUpdates = (names: readonly string[]): Document => ({
  updatedFields: {
    $arrayToObject: {
      $filter: {
        input: { $objectToArray: '$updateDescription.updatedFields' },
        cond: { $in: [{ $arrayElemAt: [{ $split: ['$$this.k', '.'] }, 0] }, names] },
      },
    },
  },
  removedFields: '$updateDescription.removedFields',
  truncatedArrays: '$updateDescription.truncatedArrays',
});
