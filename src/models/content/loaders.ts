/** Batched loading of what is above nodes. */
import type DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import { batched } from '../../shared/batched-loader.js';
import type { NodeDocument } from './nodes/node.js';
import { findLineages } from './nodes/node-path.js';

export interface ContentLoaders {
  /** By a parent's id: this parent and the nodes above it, nearest first. Empty for `ROOT`. */
  readonly lineage: DataLoader<string, readonly NodeDocument[]>;
}

export const makeContentLoaders = (db: Db): ContentLoaders => ({
  lineage: batched(async (ids) => {
    const found = await findLineages(db, ids);
    return ids.map((id) => found.get(id) ?? []);
  }),
});
