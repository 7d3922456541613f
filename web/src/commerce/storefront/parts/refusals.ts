/** Why an item could not be added, in words for the customer. */
import type { LineRefusal } from './cart.js';

/** @param title the title of the product */
export function tellRefusal(refusal: LineRefusal, title: string): string {
  switch (refusal.__typename) {
    case 'InsufficientStock':
      if (refusal.available === 0) return `Someone else has just taken the last “${title}”.`;
      return refusal.available === 1
        ? `Only one “${title}” is left.`
        : `Only ${refusal.available} of “${title}” are left.`;
    case 'ProductNotFound':
      return `“${title}” is no longer sold.`;
    case 'CartNotFound':
      return 'This cart no longer exists. Items you add now go into a new one.';
    case 'CartNotActive':
      return refusal.state === 'PENDING'
        ? 'The cart is in checkout. Wait a moment, then try again.'
        : 'This cart has ended. Items you add now go into a new one.';
    case 'Failed':
      return refusal.message;
  }
}
