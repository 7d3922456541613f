/** Ads in the audit trail. */
import { formatMoney } from '../kit/base/money.js';
import type { DomainWords } from '../shell/domain-words.js';

export const words: DomainWords = {
  acts: {
    CAMPAIGN_PAID: (detail) => {
      const [amount, currency = 'EUR'] = detail.split(' ');
      return [`Paid ${formatMoney({ amount: Number(amount), currency })} for the campaign`];
    },
  },
};
