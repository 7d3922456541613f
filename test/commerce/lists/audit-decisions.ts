/** The mutations of commerce in the audit trail. */
import type { AuditDecisions } from '../../support/domain/audit-decisions.js';

const CATALOG = 'is daily work of editors, visible in the catalog itself';
const CUSTOMER = 'is a customer action';

export const auditDecisions: AuditDecisions = {
  audited: {
    deleteOrder: 'ORDER_DELETED',
    openAccount: 'ACCOUNT_OPENED',
    transfer: 'MONEY_TRANSFERRED',
    checkOut: 'ORDER_PAID',
    raiseOrderQuantity: 'ORDER_RAISED',
    refundOrder: 'ORDER_REFUNDED',
    reverseTransfer: 'TRANSFER_REVERSED',
    restock: 'STOCK_BROUGHT_IN',
    saveProducts: 'PRICE_CHANGED',
    removeCategory: 'CATEGORY_REMOVED',
  },
  notAdministrative: {
    addCategory: CATALOG,
    changeProductImages: CATALOG,
    moveCategory: CATALOG,
    renameCategory: CATALOG,
    startCart: CUSTOMER,
    addToCart: CUSTOMER,
    changeQuantity: CUSTOMER,
    removeFromCart: CUSTOMER,
  },
};
