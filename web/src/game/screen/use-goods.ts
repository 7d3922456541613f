/** What the shopkeepers in the room sell. */
import { useEffect } from 'react';
import { useData } from '../../api/use-data.js';
import { GoodsDocument } from './documents.js';
import { lastNumber } from './log.js';
import type { Item, Screen } from './types.js';

const none: readonly Item[] = [];

/** Asked again after each happening: somebody may have bought something. @param wanted null: the first shopkeeper in the room */
export function useGoods(screen: Screen | null, wanted: string | null): readonly Item[] {
  const keeper = screen?.location.players.find(({ id, role }) => role === 'SHOPKEEPER' && (wanted ?? id) === id);
  const variables = screen && keeper ? { characterId: screen.id, shopkeeperId: keeper.id } : null;
  const { data, again } = useData(GoodsDocument, variables);
  const happened = screen && keeper ? lastNumber(screen) : null;
  useEffect(() => {
    if (happened !== null) again();
  }, [happened, again]);
  return data?.goods ?? none;
}
