/** What a character does, typed or chosen, as something that can be kept while the server is away. */
import type { Slot } from '../../../generated/graphql.js';

export type Act =
  | { readonly do: 'type'; readonly text: string }
  | { readonly do: 'move'; readonly direction: string }
  | { readonly do: 'look'; readonly atId: string | null }
  | { readonly do: 'take' | 'takeOut' | 'drop' | 'unequip'; readonly itemId: string }
  | { readonly do: 'putInto'; readonly itemId: string; readonly containerId: string }
  | { readonly do: 'give'; readonly itemId: string; readonly toId: string }
  | { readonly do: 'equip'; readonly itemId: string; readonly slot: Slot }
  | { readonly do: 'buy' | 'sell'; readonly itemId: string; readonly shopkeeperId: string }
  | { readonly do: 'speak'; readonly text: string; readonly toId: string | null };

export type Outcome =
  /** `at` is the room, and `number` that of the last happening: with it, or a later one, the screen shows the act. */
  | { readonly is: 'done'; readonly at: string; readonly number: number }
  | { readonly is: 'refused'; readonly message: string; readonly suggestions: readonly string[] }
  /** Whether it was done is not known: sent again with the same key, it is done once. */
  | { readonly is: 'open' };
