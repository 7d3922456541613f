/** Exemptions from the capture's rules for the queries and writes of the shop. */
import type { Exemptions, PlanExemption } from '../../support/domain/test-domain.js';

/** A search reads at most 10,000 products by the words of their titles, and ranks them. */
const regexMatch = '{$regexMatch: {input, regex}}';
const rankedTitles = [
  '{title_words: {$in}}',
  '{title_words: {$in}, type}',
  `{title_words: {$in}, $expr: {$and: [${regexMatch}]}}`,
  `{title_words: {$in}, $expr: {$and: [${regexMatch}, {$not: [${regexMatch}]}]}}`,
  '{title_key: {$gte, $lt}}',
].flatMap((match) =>
  ['', '$match {$or: [{rank: {$lt}}, {rank, _id: {$gt}}]}, '].map((after): [string, PlanExemption] => [
    `aggregate products $match ${match}, $limit, $addFields, ${after}$sort {rank: -1, _id: 1}, $limit`,
    { allow: ['SORT', 'EXAMINED'], reason: 'a rank cannot be indexed; $limit bounds what is ranked' },
  ]),
);

export const exemptions: Exemptions = {
  queries: {
    ...Object.fromEntries(rankedTitles),
    'aggregate categories $match {slug}, $lookup': {
      allow: ['EXAMINED'],
      reason: 'the category is returned with its children, at most 500, in one document',
    },
  },
  multiDocumentWrites: {
    'update many carts {state, last_modified: {$lt}}':
      'locks idle carts by their state; each is one atomic step, and the next run locks what a crash has left out',
    'delete many transactions {run, last_modified: {$lt}}':
      'deletes transfers that were never started; the next run deletes what a crash leaves',
  },
};
