/** Why something could not be had, as one would say it across a counter. */
import type { LineRefusal } from './cart.js';

/** @param title of what was wanted */
export function tellRefusal(refusal: LineRefusal, title: string): string {
  switch (refusal.__typename) {
    case 'InsufficientStock':
      if (refusal.available === 0) return `Somebody was quicker: the last of “${title}” has just been taken.`;
      return refusal.available === 1
        ? `There is only one of “${title}” left to take.`
        : `There are only ${refusal.available} of “${title}” left to take.`;
    case 'ProductNotFound':
      return `“${title}” is no longer sold.`;
    case 'CartNotFound':
      return 'This cart is no more. What you take now goes into a new one.';
    case 'CartNotActive':
      return refusal.state === 'PENDING'
        ? 'The cart is just being paid for. Wait a moment, then try again.'
        : 'This cart has ended. What you take now goes into a new one.';
    case 'Failed':
      return refusal.message;
  }
}
