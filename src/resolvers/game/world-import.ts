/** Imports of worlds. */
import { randomUUID } from 'node:crypto';
import type { ImportWorldResultResolvers, MutationResolvers } from '../../generated/resolvers.js';
import { startWorldImport } from '../../models/game/import/world-import.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { actOfViewer } from '../people/act.js';
import { resultType } from '../support/result-type.js';

export const ImportWorldResult: ImportWorldResultResolvers = { __resolveType: resultType('DataImport') };

export const Mutation: Pick<MutationResolvers, 'importWorld'> = {
  importWorld: async (_root, { file, input: { format = 'JSON_LINES', prefix } }, context) => {
    const upload = {
      id: randomUUID(),
      fileName: file.fileName,
      bytes: () => file.open(),
      format,
      prefix,
      owner: requirePerson(context.viewer),
    };
    const outcome = await startWorldImport(context.db, await actOfViewer(context), upload);
    if ('_id' in outcome) context.work.wake();
    return outcome;
  },
};
