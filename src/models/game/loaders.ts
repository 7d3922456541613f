/** Batched loading for the fields of lists. */
import type DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import { batched } from '../../shared/batched-loader.js';
import { findStart } from './world/world.js';

export interface GameLoaders {
  /** The key of the start of the world, whatever is asked for. */
  readonly gameStart: DataLoader<string, string | null>;
}

export const makeGameLoaders = (db: Db): GameLoaders => ({
  gameStart: batched(async (keys) => {
    const start = await findStart(db);
    return keys.map(() => start);
  }),
});
