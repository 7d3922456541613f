/** Exemptions from the capture's rules, each with its reason. Remove entries that are no longer needed. */
import type { PlanFault } from '../capture/explain.js';

interface Exemption {
  readonly allow: readonly PlanFault[];
  readonly reason: string;
}

/** A ranking of pages starts with the days or the months of its range, and joins up to four more ranges. */
const rankedPages = ['daily', 'monthly'].flatMap((name) =>
  [0, 1, 2, 3, 4].map((others): [string, Exemption] => [
    `aggregate hits.${name} $match {metadata.site, metadata.date: {$gte, $lt}}, $project, ${'$unionWith, '.repeat(others)}` +
      '$group, $match {count: {$gt}}, $sort {count: -1, _id: 1}, $limit, $project',
    {
      allow: ['SORT'],
      reason: 'sums over a range cannot be indexed; each range is read by an index, and $limit bounds the sort',
    },
  ]),
);

/** A search reads at most 10,000 products by the words of their titles, and ranks them. */
const regexMatch = '{$regexMatch: {input, regex}}';
const rankedTitles = [
  '{title_words: {$in}}',
  '{title_words: {$in}, type}',
  `{title_words: {$in}, $expr: {$and: [${regexMatch}]}}`,
  `{title_words: {$in}, $expr: {$and: [${regexMatch}, {$not: [${regexMatch}]}]}}`,
  '{title_key: {$gte, $lt}}',
].flatMap((match) =>
  ['', '$match {$or: [{rank: {$lt}}, {rank, _id: {$gt}}]}, '].map((after): [string, Exemption] => [
    `aggregate products $match ${match}, $limit, $addFields, ${after}$sort {rank: -1, _id: 1}, $limit`,
    { allow: ['SORT', 'EXAMINED'], reason: 'a rank cannot be indexed; $limit bounds what is ranked' },
  ]),
);

/** The adviser reads the last documents in natural order, the order of their arrival. */
const arrivals = ['log.events', 'hits.daily', 'sessions', 'products'].map((name): [string, Exemption] => [
  `aggregate ${name} $limit, $project`,
  { allow: ['COLLSCAN'], reason: 'no index has the natural order; $limit bounds what is read' },
]);

/** Counting the log, in one collection or several, the first of them a time-series or not; rows of several databases are sorted by page. */
const countedRequests = ['site', 'meta.site'].flatMap((site) =>
  ['', '$unionWith, '].flatMap((union) =>
    ['$sort {_id.day: 1, requests: -1, _id.page: 1}, $limit', '$sort {_id.day: 1, _id.page: 1}'].map(
      (sort): [string, Exemption] => [
        `aggregate log.events $match {${site}, time: {$gte, $lt}, page: {$exists}}, $project, ${union}$group, ${sort}, $project`,
        {
          allow: ['SORT', 'EXAMINED'],
          reason:
            'counts every request of a range, by an index; the sort is of days and pages, on disk if they are many',
        },
      ],
    ),
  ),
);

/** In a time series, the requests of one time by their `_id`: any of three fields, on the first page or a later one. */
const sharedMoments = ['', ', path'].flatMap((path) =>
  ['', ', host'].flatMap((host) =>
    ['', ', status'].flatMap((status) =>
      ['', ', $or: [{time: {$lt}}, {time, _id: {$lt}}]'].map((after): [string, Exemption] => [
        `find log.events {meta.site${path}${host}${status}, time${after}}`,
        { allow: ['SORT'], reason: 'sorts only the requests of one time, and $limit bounds the sort' },
      ]),
    ),
  ),
);

/** Query shapes whose plan may have these defects. */
export const exemptQueries: Readonly<Record<string, Exemption>> = {
  ...Object.fromEntries([...rankedPages, ...rankedTitles, ...arrivals, ...countedRequests, ...sharedMoments]),
  'delete many log.events {_id: {$gt, $lt}, token: {$lt}}': {
    allow: ['EXAMINED'],
    reason: 'scans what is stored of an import since a batch; after that batch there is nothing except in a test',
  },
  'aggregate categories $match {slug}, $lookup': {
    allow: ['EXAMINED'],
    reason: 'the category is returned with its children, at most 500, in one document',
  },
};

/** Writes to many documents: a sharded cluster sends each to every shard, and a crash may leave it partly done. */
export const multiDocumentWrites: Readonly<Record<string, string>> = {
  'delete many log.events {_id: {$gte, $lt}}':
    'undoes a batch of an import, in the transaction that removes its record',
  'delete many log.events {_id: {$gt, $lt}, token}':
    'removes a batch of an import from a capped collection; the import has a note until it is done',
  'delete many log.events {_id: {$gt, $lt}, token: {$lt}}':
    'removes what a process without a lease has stored of an uncounted batch',
  'delete many log.events {meta.import, meta.first_line, meta.token}':
    'removes a batch of an import from a time series; the import has a note until it is done',
  'delete many log.rejects {_id: {$gte, $lt}}':
    'undoes a batch of an import, in the transaction that removes its record',
  'update many sessions {_id: {$in}}':
    'unmarks sessions whose roll-ups are all written; a mark left by a crash makes the next run write the same again',
  'update many rollup.hourly {_id: {$in: [{u, d}]}}':
    'seals hours whose sessions are to be removed; a crash leaves some unsealed, which the next day seals',
  'delete many sessions {userid, ts: {$gte, $lt}, pending: {$exists}}':
    "removes the sessions of a user's hour, by the shard key; what a crash leaves is removed the next day",
  'update many carts {state, last_modified: {$lt}}':
    'locks idle carts by their state; each is one atomic step, and the next run locks what a crash has left out',
  'delete many transactions {run, last_modified: {$lt}}':
    'deletes transfers that were never started; the next run deletes what a crash leaves',
  'delete many jobs {_id: {$type}}':
    'deletes the jobs of an earlier release; the next start deletes what a crash leaves',
  'delete many log.chunks {files_id}':
    "GridFS: a file's data, by the shard key; what a crash leaves is deleted the next day",
};

/**
 * Writes to one document that name the shard key only on a sharded cluster. Each is built by a function that knows the deployment,
 * and whose test shows that the other form names the whole key.
 */
export const shardKeyOnlyWhereSharded: Readonly<Record<string, string>> = {
  'update hits.daily {_id}': 'half the cost for the server (docs/request-log.md); `hit-statements.ts`',
  'update hits.monthly {_id}': 'half the cost for the server (docs/request-log.md); `hit-statements.ts`',
  'delete hits.daily {_id}': 'as for their updates; `hit-removal.ts`',
  'delete hits.monthly {_id}': 'as for their updates; `hit-removal.ts`',
};

/** Collections that must not be sharded, so their unique indexes need not start with a shard key. */
export const unshardedCollections: Readonly<Record<string, string>> = {};

/** Operations that write twice without a failpoint in between. */
export const exemptOperations: Readonly<Record<string, string>> = {};

/** Callers whose writes are not steps of the operation in which they started. */
export const writesBesideOperations: Readonly<Record<string, string>> = {
  'src/database/collections/lease.ts renewLease':
    'on a timer, next to the work; it extends a lease that is still held, so it may happen between any two steps',
};

/** Collections of libraries, which are outside these rules. */
export const foreignCollections: Readonly<Record<string, string>> = {};
