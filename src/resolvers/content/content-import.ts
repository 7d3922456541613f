/** Imports of content. */
import { randomUUID } from 'node:crypto';
import type { ImportContentResultResolvers, MutationResolvers } from '../../generated/resolvers.js';
import { startContentImport } from '../../models/content/import/content-upload.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { resultType } from '../support/result-type.js';
import { nodeIdOf } from './node-type.js';
import { authorOf } from './write.js';

export const ImportContentResult: ImportContentResultResolvers = { __resolveType: resultType('DataImport') };

export const Mutation: Pick<MutationResolvers, 'importContent'> = {
  importContent: async (_root, { file, input }, context) => {
    const upload = {
      id: randomUUID(),
      fileName: file.fileName,
      bytes: () => file.open(),
      parentId: input.parentId ? nodeIdOf(input.parentId) : null,
      format: input.format,
      asDrafts: input.asDrafts ?? false,
      owner: requirePerson(context.viewer),
      author: (await authorOf(context)).author,
    };
    const outcome = await startContentImport(context.db, upload, context.now());
    if ('_id' in outcome) context.work.wake();
    return outcome;
  },
};
