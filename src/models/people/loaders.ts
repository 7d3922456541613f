/** Batched loading of people, for the fields of lists. */
import type DataLoader from 'dataloader';
import type { Db } from 'mongodb';
import { batched } from '../../shared/batched-loader.js';
import { findUsersById } from './user.js';

export interface PeopleLoaders {
  /** The names of users. Empty for deleted users. */
  readonly personName: DataLoader<string, string>;
}

export const makePeopleLoaders = (db: Db): PeopleLoaders => ({
  personName: batched(async (ids) => {
    const names = new Map((await findUsersById(db, ids)).map(({ _id, name }) => [_id, name]));
    return ids.map((id) => names.get(id) ?? '');
  }),
});
