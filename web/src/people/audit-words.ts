/** Administrative actions in words: "Granted ada@example.org the role Editor". */
import type { AuditAction, AuditTrailQuery, Role, Scope } from '../../generated/graphql.js';
import { formatCountOf } from '../kit/base/format.js';
import { formatMoney } from '../kit/base/money.js';
import { roleWords, scopeWords } from '../shell/role-words.js';

export type Act = AuditTrailQuery['auditTrail']['edges'][number]['node'];

/** A sentence around its subject. */
export interface Sentence {
  readonly before: string;
  readonly subject: string;
  readonly after: string;
}

/** Words before and after the subject. */
const sentences: Readonly<Record<AuditAction, (detail: string) => readonly [before: string, after?: string]>> = {
  ROLE_GRANTED: (detail) => ['Granted', `the role ${roleName(detail)}`],
  ROLE_REVOKED: (detail) => ['Removed', `from the role ${roleName(detail)}`],
  USER_INVITED: (detail) => ['Invited', detail === 'no role' ? 'without a role' : `as ${namesOf(detail, roleName)}`],
  INVITATION_WITHDRAWN: () => ['Withdrew the invitation for'],
  USER_DELETED: () => ['Deleted the account of'],
  API_KEY_CREATED: (detail) => ['Created the API key', `for ${namesOf(detail, scopeName)}`],
  API_KEY_REVOKED: () => ['Revoked the API key'],
  SITE_REGISTERED: (detail) => ['Registered the site', detail && `accepting hits from ${detail}`],
  SITE_ORIGINS_CHANGED: (detail) => ['Changed the site', `to accept hits from ${detail || 'no origin'}`],
  ACCOUNT_OPENED: (detail) => ['Opened the account', `with ${amountOf(detail)}`],
  MONEY_TRANSFERRED: (detail) => [`Moved ${amountOf(detail)} to ${restOf(detail)} with the transfer`],
  ORDER_PAID: (detail) => [`Charged ${amountOf(detail)} for the order`],
  ORDER_RAISED: (detail) => [`Charged ${amountOf(detail)} for ${restOf(detail)} more in the order`],
  ORDER_REFUNDED: (detail) => [`Refunded ${amountOf(detail)} of the order`],
  TRANSFER_REVERSED: (detail) => ['Reversed the transfer', `(${amountOf(detail)} to ${restOf(detail)})`],
  STOCK_BROUGHT_IN: (detail) => [`Restocked ${formatCountOf(Number(detail), 'unit')} of`],
  PRICE_CHANGED: (detail) => ['Changed the price of', `from ${amountOf(detail)} to ${amountOf(restOf(detail))}`],
  CATEGORY_REMOVED: (detail) => ['Removed the category', detail && `and moved its content to ${detail}`],
  RECOVERY_STARTED: () => ['Started recovery:'],
  ORDER_DELETED: (detail) => ['Deleted the order', `of ${amountOf(detail)}`],
  PASSWORD_CHANGED: () => ['Changed the password of'],
  PASSWORD_RESET: () => ['Reset the password of'],
  LOG_IMPORT_UNDONE: (detail) => ['Undid the import of', `for the site ${detail}`],
  LOG_GROWTH_CHANGED: (detail) => ['Changed the growth of the log to', `(${detail})`],
};

export function sentenceOf({ action, subject, detail }: Act): Sentence {
  const [before, after = ''] = sentences[action](detail ?? '');
  return { before, subject, after };
}

const roleName = (role: string): string => (role in roleWords ? roleWords[role as Role].name : role);
/** `1250 EUR`, in minor units, formatted for display. */
function amountOf(detail: string): string {
  const [amount, currency = 'EUR'] = detail.split(' ');
  return formatMoney({ amount: Number(amount), currency });
}
/** What follows the amount. */
const restOf = (detail: string): string => detail.split(' ').slice(2).join(' ');
const scopeName = (scope: string): string => (scope in scopeWords ? scopeWords[scope as Scope].name : scope);
const namesOf = (list: string, nameOf: (name: string) => string): string => list.split(', ').map(nameOf).join(', ');
