/** What a character does, typed or chosen, as something that can be kept while the server is away. */
import type { Slot } from '../../../generated/graphql.js';
import type { Screen } from './types.js';

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
  | { readonly is: 'done'; readonly screen: Screen }
  | { readonly is: 'refused'; readonly message: string; readonly suggestions: readonly string[] }
  /** Whether it was done is not known: sent again with the same key, it is done once. */
  | { readonly is: 'open' };
