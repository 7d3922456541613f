/** Background work of all domains. */
import type {
  BackgroundWorkResolvers,
  DataExportResolvers,
  DataImportResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  UndoImportResultResolvers,
} from '../../generated/resolvers.js';
import { workKindsOf } from '../../models/domain.js';
import { findVisibleWork, findWork, workFeed } from '../../models/system/work/background-work.js';
import { expiryOf, pathOfExport } from '../../models/system/work/data-export.js';
import { findRejectedRows, type RejectedRow, reasonInWords } from '../../models/system/work/data-import.js';
import { requestUndo } from '../../models/system/work/work-start.js';
import type { WorkDocument } from '../../models/work.js';
import { SextantError } from '../../shared/errors.js';
import { fromGlobalId, idOfType } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { mapConnection } from '../../shared/page.js';
import { actOfViewer } from '../people/act.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { resultType } from '../support/result-type.js';
import { workFields, workOwnerFilter, workTypesOf } from '../support/work.js';

/** Stored work names its type. Lists contain only types that the schema has. */
export const BackgroundWork: BackgroundWorkResolvers = { __resolveType: ({ type }) => type as never };

export const DataImport: DataImportResolvers = {
  ...workFields,
  fileName: ({ file_name }) => file_name ?? '',
  imported: ({ imported }) => imported ?? 0,
  skipped: ({ skipped }) => skipped ?? 0,
  rejected: ({ rejected }) => rejected ?? 0,
  rejectReasons: (work, _args, { domains }) => {
    const kinds = workKindsOf(domains);
    return Object.entries(work.reject_reasons ?? {})
      .map(([reason, count]) => ({ reason: reasonInWords(kinds, work, reason), count }))
      .sort((one, other) => other.count - one.count);
  },
  rejects: async (work, { first, after }, { db, domains }) => {
    const kinds = workKindsOf(domains);
    const inWords = ({ line, reason, field = null, raw }: RejectedRow) => ({
      line,
      field,
      reason: reasonInWords(kinds, work, reason),
      raw,
    });
    return mapConnection(await findRejectedRows(db, work._id, { first, after }), inWords);
  },
};

export const DataExport: DataExportResolvers = {
  ...workFields,
  fileName: ({ file_name }) => file_name ?? '',
  url: (work, _args, { viewer, now, publicUrl }) => {
    const isOwn = viewer.id !== null && work.owner === viewer.id;
    const path = isOwn ? pathOfExport(work, now()) : null;
    return path && new URL(path, publicUrl()).href;
  },
  bytes: ({ state, bytes }) => (state === 'FINISHED' ? (bytes ?? 0) : null),
  expiresAt: expiryOf,
};

export const UndoImportResult: UndoImportResultResolvers = { __resolveType: resultType('DataImport') };

export const Query: Pick<QueryResolvers, 'backgroundWork'> = {
  backgroundWork: (_root, { state, own, first, after }, context) => {
    const owner = workOwnerFilter(context.viewer, own);
    return findWork(context.db, { owner, state, types: workTypesOf(context) }, { first, after });
  },
};

export const Mutation: Pick<MutationResolvers, 'undoImport'> = {
  undoImport: async (_root, { id: globalId }, context) => {
    const id = idOfType('DataImport', globalId);
    if (id === null) return refuse('WorkNotFound', 'No import has this id, or it cannot be undone');
    const owner = workOwnerFilter(context.viewer);
    const request = { id, type: 'DataImport', owner, kinds: workKindsOf(context.domains) };
    const outcome = await requestUndo(context.db, await actOfViewer(context), request);
    if ('_id' in outcome && outcome.open) context.work.wake();
    return outcome;
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'workChanged'> = {
  workChanged: {
    subscribe: async (_root, { id: globalId, after }, context) => {
      const { type, id } = fromGlobalId(globalId) ?? {};
      const isKnown = type !== undefined && workTypesOf(context).includes(type);
      const work = isKnown && id && (await findVisibleWork(context.db, workOwnerFilter(context.viewer), id, type));
      if (!work) throw new SextantError('NOT_FOUND', 'No work has this id');
      return context.hub.follow(workFeed, { id: work._id }, { after });
    },
    resolve: (event: FollowedEvent<WorkDocument>) => followedAs('work', event),
  },
};
