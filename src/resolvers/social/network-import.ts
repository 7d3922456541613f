/** Imports of networks. */
import { randomUUID } from 'node:crypto';
import type { ImportNetworkResultResolvers, MutationResolvers } from '../../generated/resolvers.js';
import { startNetworkImport } from '../../models/social/import/network-import.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { actOfViewer } from '../people/act.js';
import { resultType } from '../support/result-type.js';

export const ImportNetworkResult: ImportNetworkResultResolvers = { __resolveType: resultType('DataImport') };

export const Mutation: Pick<MutationResolvers, 'importNetwork'> = {
  importNetwork: async (_root, { file, input: { source } }, context) => {
    const upload = {
      id: randomUUID(),
      fileName: file.fileName,
      bytes: () => file.open(),
      source,
      owner: requirePerson(context.viewer),
    };
    const outcome = await startNetworkImport(context.db, await actOfViewer(context), upload);
    if ('_id' in outcome) context.work.wake();
    return outcome;
  },
};
