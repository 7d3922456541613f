/** Exemptions from the capture's rules for the queries and writes of the system. */
import type { Exemptions, PlanExemption } from '../../support/domain/test-domain.js';

/** Shard advice reads the latest documents in natural order, which is the order of arrival. */
const arrivals = ['log.events', 'hits.daily', 'sessions', 'products'].map((name): [string, PlanExemption] => [
  `aggregate ${name} $limit, $project`,
  { allow: ['COLLSCAN'], reason: 'no index has the natural order; $limit bounds what is read' },
]);

export const exemptions: Exemptions = {
  queries: Object.fromEntries(arrivals),
  multiDocumentWrites: {
    'delete many jobs {$or: [{_id: {$in}}, {_id: {$type}}]}':
      'deletes the jobs of an earlier release; the next start deletes what a crash leaves',
    'delete many work.rejects {_id: {$gt, $lt}}':
      'deletes the rejected rows of old work, whose document goes last: the next run deletes what a crash leaves',
    'delete many work.parts {_id: {$gte, $lt}}':
      'deletes a file except its first part, which goes last: the next run deletes what a crash leaves',
  },
};
