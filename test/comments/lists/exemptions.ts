import type { Exemptions } from '../../support/domain/test-domain.js';

export const exemptions: Exemptions = {
  multiDocumentWrites: {
    'update many comments {_id: {$in}}':
      'makes comments references, or tells the pages of copies, in the transaction of a step of a move',
    'delete many comment_pages {discussion, generation}': 'removes the copies of a move that failed, in its step',
    'delete many comment_pages {_id: {$in}}': 'removes pages that a move has left behind, in its step',
    'delete many comment_import_rows {_id: {$in}}':
      'removes rows that become comments in the same transaction, or of an import that stores none; repeatable',
    'delete many comments {_id: {$gte, $lt}}':
      'removes what belongs to a discussion whose node is marked for good; the next run deletes what a crash leaves',
    'delete many comment_pages {_id: {$gte, $lt}}':
      'removes what belongs to a discussion whose node is marked for good; the next run deletes what a crash leaves',
    'delete many comment_cases {_id: {$gte, $lt}}':
      'removes what belongs to a discussion whose node is marked for good; the next run deletes what a crash leaves',
  },
};
