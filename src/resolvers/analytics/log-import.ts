/** Imports of access logs. */
import type {
  ImportLogResultResolvers,
  LogImportResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  UndoLogImportResultResolvers,
} from '../../generated/resolvers.js';
import { type RejectReason, rejectReasons } from '../../models/analytics/log/log-line.js';
import {
  findLogImport,
  findLogImports,
  findRejectedLines,
  type LogImportDocument,
  logImportFeed,
  progressOf,
  requestUndo,
} from '../../models/analytics/log-import/log-import.js';
import { takeUpload } from '../../models/analytics/log-import/log-upload.js';
import { SextantError } from '../../shared/errors.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { refuse } from '../../shared/outcome.js';
import { mapConnection } from '../../shared/page.js';
import { actOfViewer } from '../people/act.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { resultType } from '../support/result-type.js';

export const LogImport: LogImportResolvers = {
  id: ({ _id }) => toGlobalId('LogImport', _id),
  fileName: ({ file_name }) => file_name,
  bytesRead: ({ bytes_read }) => bytes_read,
  bytesTotal: ({ bytes_total }) => bytes_total ?? null,
  progress: progressOf,
  startedAt: ({ started_at }) => started_at ?? null,
  finishedAt: ({ finished_at }) => finished_at ?? null,
  delay: ({ delay }) => delay ?? null,
  rejectReasons: ({ reject_reasons }) =>
    Object.entries(reject_reasons)
      .filter(([, count]) => count > 0) // a reason whose lines were undone stays as 0
      .map(([reason, count]) => ({ reason: rejectReasons[reason as RejectReason], count }))
      .sort((one, other) => other.count - one.count),
  rejects: async ({ _id }, { first, after }, { db }) =>
    mapConnection(await findRejectedLines(db, _id, { first, after }), ({ line, reason, raw }) => ({
      line,
      reason: rejectReasons[reason],
      raw,
    })),
};

export const ImportLogResult: ImportLogResultResolvers = { __resolveType: resultType('LogImport') };

export const UndoLogImportResult: UndoLogImportResultResolvers = { __resolveType: resultType('LogImport') };

export const Query: Pick<QueryResolvers, 'logImport' | 'logImports'> = {
  logImport: (_root, { id: globalId }, { db }) => {
    const id = idOfType('LogImport', globalId);
    return id === null ? null : findLogImport(db, id);
  },
  logImports: (_root, { site, first, after }, { db }) => findLogImports(db, site, { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'importLog' | 'undoLogImport'> = {
  importLog: async (_root, { file, input }, { db, imports, now }) => {
    const upload = { name: file.fileName, bytes: () => file.open() };
    const options = {
      durability: input.durability ?? 'MAJORITY',
      count_hits: input.countHits ?? true,
      leave_out_robots: input.leaveOutRobots ?? false,
      format: input.format ?? undefined,
    };
    const taken = await takeUpload(db, upload, { site: input.site, options }, now());
    if ('_id' in taken) imports.start(taken._id);
    return taken;
  },
  undoLogImport: async (_root, { id: globalId }, context) => {
    const id = idOfType('LogImport', globalId);
    if (id === null) return refuse('LogImportNotFound', 'No import has this id');
    const marked = await requestUndo(context.db, await actOfViewer(context), id);
    if ('_id' in marked) context.imports.start(marked._id);
    return marked;
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'logImportChanged'> = {
  logImportChanged: {
    subscribe: (_root, { id: globalId, after }, { hub }) => {
      const id = idOfType('LogImport', globalId);
      if (id === null) throw new SextantError('NOT_FOUND', 'No import has this id');
      return hub.follow(logImportFeed, { id }, { after });
    },
    resolve: (event: FollowedEvent<LogImportDocument>) => followedAs('import', event),
  },
};
