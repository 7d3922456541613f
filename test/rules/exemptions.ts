/** What the rules of the capture allow, each with its reason. A line that nothing needs any more is to be taken out. */
import type { PlanFault } from '../support/explain.js';

interface Exemption {
  readonly allow: readonly PlanFault[];
  readonly reason: string;
}

/** A ranking of pages begins with the days or the months of its range, and joins up to four more stretches. */
const rankedPages = ['daily', 'monthly'].flatMap((name) =>
  [0, 1, 2, 3, 4].map((others): [string, Exemption] => [
    `aggregate hits.${name} $match {metadata.site, metadata.date: {$gte, $lt}}, $project, ${'$unionWith, '.repeat(others)}` +
      '$group, $match {count: {$gt}}, $sort {count: -1, _id: 1}, $limit, $project',
    {
      allow: ['SORT'],
      reason: 'sums over a range cannot be in an index; each stretch is read by one, and $limit bounds the sort',
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
    { allow: ['SORT', 'EXAMINED'], reason: 'a rank cannot be in an index; $limit bounds what is ranked' },
  ]),
);

/** The adviser reads the documents that came last in the collection's own order, the order of their arrival. */
const arrivals = ['log.events', 'hits.daily', 'sessions', 'products'].map((name): [string, Exemption] => [
  `aggregate ${name} $limit, $project`,
  { allow: ['COLLSCAN'], reason: 'no index has the order of arrival; $limit bounds what is read' },
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

/** Of a time-series, the requests of one moment by their `_id`: any of three fields, on the first page or a later one. */
const sharedMoments = ['', ', path'].flatMap((path) =>
  ['', ', host'].flatMap((host) =>
    ['', ', status'].flatMap((status) =>
      ['', ', $or: [{time: {$lt}}, {time, _id: {$lt}}]'].map((after): [string, Exemption] => [
        `find log.events {meta.site${path}${host}${status}, time${after}}`,
        { allow: ['SORT'], reason: 'sorts the requests of one moment alone, and $limit bounds the sort' },
      ]),
    ),
  ),
);

/** Query shapes whose plan may have these faults. */
export const exemptQueries: Readonly<Record<string, Exemption>> = {
  ...Object.fromEntries([...rankedPages, ...rankedTitles, ...arrivals, ...countedRequests, ...sharedMoments]),
  'delete many log.events {_id: {$gt, $lt}, token: {$lt}}': {
    allow: ['EXAMINED'],
    reason:
      'looks through what is stored of an import from a batch on; after that batch there is nothing but in a test',
  },
  'aggregate categories $match {slug}, $lookup': {
    allow: ['EXAMINED'],
    reason: 'the category is answered with its children, at most 500, in one document',
  },
};

/** Writes to many documents at once: a sharded cluster sends each to every shard, and a crash may leave a part of it. */
export const multiDocumentWrites: Readonly<Record<string, string>> = {
  'delete many log.events {_id: {$gte, $lt}}':
    'takes a batch of an import back, in the transaction that removes its record',
  'delete many log.events {_id: {$gt, $lt}, token}':
    'takes a batch of an import out of a capped collection, whose note is in the import until all is done',
  'delete many log.events {_id: {$gt, $lt}, token: {$lt}}':
    'takes out what somebody without a lease has stored of a batch that nobody has counted',
  'delete many log.events {meta.import, meta.first_line, meta.token}':
    'takes a batch of an import out of a time-series, whose note is in the import until all is done',
  'delete many log.rejects {_id: {$gte, $lt}}':
    'takes a batch of an import back, in the transaction that removes its record',
  'update many sessions {_id: {$in}}':
    'takes the marks off sessions whose roll-ups are all written; a mark that a crash leaves makes the next run write the same again',
  'update many rollup.hourly {_id: {$in: [{u, d}]}}':
    'seals hours whose sessions are to be removed; a crash leaves some unsealed, which the next day seals',
  'delete many sessions {userid, ts: {$gte, $lt}, pending: {$exists}}':
    "removes the sessions of a user's hour, by the shard key; what a crash leaves is removed the next day",
  'update many carts {state, last_modified: {$lt}}':
    'locks idle carts by their state; each is one atomic step, and the next turn locks what a crash has left out',
  'delete many transactions {run, last_modified: {$lt}}':
    'forgets transfers that were never begun; what a crash leaves goes with the next turn',
  'delete many jobs {_id: {$type}}':
    'takes out what an earlier release kept of its jobs; what a crash leaves goes at the next start',
  'delete many log.chunks {files_id}':
    "GridFS: a file's bytes, by the shard key; what a crash leaves is deleted the next day",
};

/**
 * Writes to one document that name the shard key on a sharded cluster only. Each is made by a function that is told which it is, and
 * whose test shows that the other form names the whole key.
 */
export const shardKeyOnlyWhereSharded: Readonly<Record<string, string>> = {
  'update hits.daily {_id}': 'half the cost for the server (docs/request-log.md); `hit-statements.ts`',
  'update hits.monthly {_id}': 'half the cost for the server (docs/request-log.md); `hit-statements.ts`',
  'delete hits.daily {_id}': 'as they were made; `hit-removal.ts`',
  'delete hits.monthly {_id}': 'as they were made; `hit-removal.ts`',
};

/** Collections that are not to be sharded, so their unique indexes need not begin with a shard key. */
export const unshardedCollections: Readonly<Record<string, string>> = {};

/** Operations that write twice without a failpoint between. */
export const exemptOperations: Readonly<Record<string, string>> = {};

/** Callers whose writes are no step of the operation in which they began. */
export const writesBesideOperations: Readonly<Record<string, string>> = {
  'src/database/lease.ts renewLease':
    'on a timer, beside the work; it moves the end of a lease that is still held, so it may come between any two steps',
};

/** Collections of libraries, which have their own ways. */
export const foreignCollections: Readonly<Record<string, string>> = {};
