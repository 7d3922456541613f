/** What kind of deployment the database is. */
import type { MongoClient } from 'mongodb';

const known = new WeakMap<MongoClient, Promise<boolean>>();

/** Whether writes go through a mongos, which routes them by shard keys. Asked once for each client. */
export function isSharded(client: MongoClient): Promise<boolean> {
  let answer = known.get(client);
  if (!answer) {
    answer = client
      .db('admin')
      .command({ hello: 1 })
      .then(({ msg }) => msg === 'isdbgrid');
    answer.catch(() => known.delete(client)); // not known yet: ask again
    known.set(client, answer);
  }
  return answer;
}
