/** The person who is being dragged to a circle. The drag's own data cannot be read before the drop. */
import { createStore } from '../../kit/base/store.js';

export interface Carried {
  readonly id: string;
  readonly name: string;
}

export const carriedStore = createStore<Carried | null>(null);
