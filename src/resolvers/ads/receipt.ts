/** Recording receipts. */
import type { MutationResolvers } from '../../generated/resolvers.js';
import type { EventKind } from '../../models/ads/decisions/receipt.js';
import type { Context } from '../../server/context/context.js';
import { chargeGuest, recordForGuest } from './door.js';

type Write = Omit<Parameters<typeof recordForGuest>[2], 'kind'>;

async function record(context: Context, kind: EventKind, write: Write) {
  chargeGuest(context, write.receipts.length);
  return recordForGuest(context, context, { kind, ...write });
}

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
