/** Exemptions from the capture's rules for the queries and writes of people. */
import type { Exemptions } from '../../support/domain/test-domain.js';

export const exemptions: Exemptions = {
  multiDocumentWrites: {
    'delete many auth.refresh_tokens {user_id}':
      'deletes the sessions of a deleted account, which are invalid without it; the next run deletes what a crash leaves',
    'delete many idempotency.counts {_id: {$in}}':
      'deletes the counts of keys of a deleted account, one for each allowance; they expire in a day, and the next run deletes what a crash leaves',
    'delete many auth.password_resets {user_id}':
      'deletes the unused links of a deleted account, at most a few in an hour; the next run deletes what a crash leaves',
  },
};
