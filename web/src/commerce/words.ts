/** Commerce in the audit trail. */
import { formatCountOf } from '../kit/base/format.js';
import { formatMoney } from '../kit/base/money.js';
import type { DomainWords } from '../shell/domain-words.js';

export const words: DomainWords = {
  acts: {
    ACCOUNT_OPENED: (detail) => ['Opened the account', `with ${amountOf(detail)}`],
    MONEY_TRANSFERRED: (detail) => [`Moved ${amountOf(detail)} to ${restOf(detail)} with the transfer`],
    ORDER_PAID: (detail) => [`Charged ${amountOf(detail)} for the order`],
    ORDER_RAISED: (detail) => [`Charged ${amountOf(detail)} for ${restOf(detail)} more in the order`],
    ORDER_REFUNDED: (detail) => [`Refunded ${amountOf(detail)} of the order`],
    ORDER_DELETED: (detail) => ['Deleted the order', `of ${amountOf(detail)}`],
    TRANSFER_REVERSED: (detail) => ['Reversed the transfer', `(${amountOf(detail)} to ${restOf(detail)})`],
    STOCK_BROUGHT_IN: (detail) => [`Restocked ${formatCountOf(Number(detail), 'unit')} of`],
    PRICE_CHANGED: (detail) => ['Changed the price of', `from ${amountOf(detail)} to ${amountOf(restOf(detail))}`],
    CATEGORY_REMOVED: (detail) => ['Removed the category', detail && `and moved its contents to ${detail}`],
  },
};

/** `1250 EUR`, in minor units, formatted for display. */
function amountOf(detail: string): string {
  const [amount, currency = 'EUR'] = detail.split(' ');
  return formatMoney({ amount: Number(amount), currency });
}

/** What follows the amount. */
const restOf = (detail: string): string => detail.split(' ').slice(2).join(' ');
