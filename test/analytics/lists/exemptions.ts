/** Exemptions from the capture's rules for the queries and writes of analytics. */
import type { Exemptions, PlanExemption } from '../../support/domain/test-domain.js';

/** A ranking of pages starts with the days or the months of its range, and joins up to four more ranges. */
const rankedPages = ['daily', 'monthly'].flatMap((name) =>
  [0, 1, 2, 3, 4].map((others): [string, PlanExemption] => [
    `aggregate hits.${name} $match {metadata.site, metadata.date: {$gte, $lt}}, $project, ${'$unionWith, '.repeat(others)}` +
      '$group, $match {count: {$gt}}, $sort {count: -1, _id: 1}, $limit, $project',
    {
      allow: ['SORT'],
      reason: 'sums over a range cannot be indexed; each range is read by an index, and $limit bounds the sort',
    },
  ]),
);

/** Request counts of one or more collections; the first may be a time series. With several databases, rows are sorted by day and page. */
const countedRequests = ['site', 'meta.site'].flatMap((site) =>
  ['', '$unionWith, '].flatMap((union) =>
    ['$sort {_id.day: 1, requests: -1, _id.page: 1}, $limit', '$sort {_id.day: 1, _id.page: 1}'].map(
      (sort): [string, PlanExemption] => [
        `aggregate log.events $match {${site}, time: {$gte, $lt}, page: {$exists: true}}, $project, ${union}$group, ${sort}, $project`,
        {
          allow: ['SORT', 'EXAMINED'],
          reason:
            'counts every request of a range by an index, and sorts the days and pages, on disk if there are many',
        },
      ],
    ),
  ),
);

/** In a time series, requests with the same time are sorted by `_id`: with any of three filters, on the first page or a later one. */
const sharedMoments = ['', ', path'].flatMap((path) =>
  ['', ', host'].flatMap((host) =>
    ['', ', status'].flatMap((status) =>
      ['', ', $or: [{time: {$lt}}, {time, _id: {$lt}}]'].map((after): [string, PlanExemption] => [
        `find log.events {meta.site${path}${host}${status}, time${after}}`,
        { allow: ['SORT'], reason: 'sorts only the requests of one time, and $limit bounds the sort' },
      ]),
    ),
  ),
);

export const exemptions: Exemptions = {
  queries: {
    ...Object.fromEntries([...rankedPages, ...countedRequests, ...sharedMoments]),
    'delete many log.events {_id: {$gt, $lt}, token: {$lt}}': {
      allow: ['EXAMINED'],
      reason: 'scans what an import has stored from this batch on; only tests have stored anything after it',
    },
  },
  multiDocumentWrites: {
    'delete many log.events {_id: {$gte, $lt}}':
      'undoes a batch of an import, in the transaction that removes its record',
    'delete many log.events {_id: {$gt, $lt}, token}':
      'removes a batch of an import from a capped collection; the import has a note until it is done',
    'delete many log.events {_id: {$gt, $lt}, token: {$lt}}':
      'removes what a process without a lease has stored for an uncounted batch',
    'delete many log.events {meta.import, meta.first_line, meta.token}':
      'removes a batch of an import from a time series; the import has a note until it is done',
    'delete many log.rejects {_id: {$gte, $lt}}':
      'undoes a batch of an import, in the transaction that removes its record',
    'update many sessions {_id: {$in}}':
      'unmarks sessions whose roll-ups are all written; a mark left by a crash makes the next run write the same again',
    'update many rollup.hourly {_id: {$in: [{u, d}]}}':
      'seals hours whose sessions are to be removed; a crash leaves some unsealed, which the next day seals',
    'delete many sessions {userid, ts: {$gte, $lt}, pending: {$exists: false}}':
      "removes the sessions of a user's hour, by the shard key; what a crash leaves is removed the next day",
    'delete many log.chunks {files_id}':
      "GridFS: a file's data, by the shard key; what a crash leaves is deleted the next day",
  },
  shardKeyOnlyWhereSharded: {
    'update hits.daily {_id}': 'half the cost for the server (docs/request-log.md); `hit-statements.ts`',
    'update hits.monthly {_id}': 'half the cost for the server (docs/request-log.md); `hit-statements.ts`',
    'delete hits.daily {_id}': 'as for their updates; `hit-removal.ts`',
    'delete hits.monthly {_id}': 'as for their updates; `hit-removal.ts`',
  },
};
