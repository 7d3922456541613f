/** Recording receipts. */
import type { MutationResolvers } from '../../generated/resolvers.js';
import type { EventKind } from '../../models/ads/decisions/receipt.js';
import { type ReceiptWrite, recordReceipts } from '../../models/ads/recording/recording.js';
import type { Context } from '../../server/context/context.js';

const record = ({ ads, db, now }: Context, kind: EventKind, write: Omit<ReceiptWrite, 'kind' | 'now'>) =>
  recordReceipts({ db, signer: ads.decider.signer, recorder: ads.recorder }, { kind, now: now(), ...write });

export const Mutation: Pick<MutationResolvers, 'recordImpressions' | 'recordClicks' | 'recordConversion'> = {
  recordImpressions: (_root, write, context) => record(context, 'IMPRESSION', write),
  recordClicks: (_root, write, context) => record(context, 'CLICK', write),
  recordConversion: (_root, { receipt, value }, context) =>
    record(context, 'CONVERSION', {
      receipts: [receipt],
      durability: 'MAJORITY',
      value: value ? { given: value, currency: context.store.currency } : undefined,
    }),
};
