/** Ads in the audit trail and among the scopes of API keys. */
import { formatMoney, inMoney } from '../kit/base/money.js';
import type { DomainWords } from '../shell/domain-words.js';

export const words: DomainWords = {
  acts: {
    CAMPAIGN_PAID: (detail) => {
      const [amount, currency = 'EUR'] = detail.split(' ');
      return [`Paid ${formatMoney({ amount: Number(amount), currency })} for the campaign`];
    },
    CAMPAIGN_CHANGED: (detail) => [`Changed the campaign: ${inMoney(detail)}`],
  },
  scopes: { ADS_WRITE: 'Ask for ads and record their receipts on behalf of visitors' },
};
