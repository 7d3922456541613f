/** Exemptions from the capture's rules for the queries and writes of the system. */
import type { Exemptions, PlanExemption } from '../../support/domain/test-domain.js';

const sampled = [
  ...['log.events', 'hits.daily', 'sessions', 'products', 'cms.nodes', 'comments'],
  ...['social.posts', 'social.news'],
];
/** Shard advice reads the latest documents in natural order, which is the order of arrival. */
const arrivals = sampled.map((name): [string, PlanExemption] => [
  `aggregate ${name} $limit, $project`,
  { allow: ['COLLSCAN'], reason: 'no index has the natural order; $limit bounds what is read' },
]);

export const exemptions: Exemptions = {
  queries: {
    ...Object.fromEntries(arrivals),
    'find jobs {_id: {$in}, $expr: {$or: [{$lte}, {$gt: [{$add}]}]}}': {
      allow: ['EXAMINED'],
      reason: 'reads one document for each job of this server, of which few are due: the list of jobs bounds it',
    },
    'find work {type: {$in}}': {
      allow: ['EXAMINED'],
      reason:
        'skips the work of domains that are off, which is kept for 30 days; types before the order would mean a sort',
    },
  },
  multiDocumentWrites: {
    'delete many jobs {$or: [{_id: {$in}}, {_id: {$type}}]}':
      'deletes the jobs of an earlier release; the next start deletes what a crash leaves',
    'delete many work.rejects {_id: {$gt, $lt}}':
      'deletes the rejected rows of old work, whose document goes last: the next run deletes what a crash leaves',
    'delete many work.parts {_id: {$gte, $lt}}':
      'deletes a file except its first part, which goes last: the next run deletes what a crash leaves',
    'delete many cms.assets.chunks {files_id}':
      'deletes the chunks of one file, which are on one shard; its description, deleted last, is how a worker finds the rest',
    'update many cms.assets.files {_id: {$in}, metadata.state, metadata.of: {$exists: false}}':
      'claims assets in the transaction of the write that refers to them, or brings their next check forward',
  },
  operations: {
    'src/models/domain.ts openDomains':
      'each domain creates what it lacks, independently of the others; a start that dies in between leaves the rest to the next one',
  },
};
