import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../src/server/index.js'; // with the next, all collections are declared
import '../../src/services.js';
import { declaredCollections } from '../../src/database/index.js';
import { makeShardPlan } from '../../src/database/shard-plan.js';
import { runSextant } from '../support/command.js';
import { useDatabase } from '../support/database.js';
import { type ReplicaSet, startReplicaSet } from '../support/replica-set.js';

const DATABASE = 'shop';
const plan = makeShardPlan(DATABASE, declaredCollections().values());

describe('sextant shard-plan', () => {
  const database = useDatabase();
  const shardPlan = (...parameters: string[]) =>
    runSextant(['shard-plan', ...parameters], {
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.db.databaseName,
    });

  it('prints the commands for all collections, and which stay whole and why', async () => {
    const { code, output } = await shardPlan();
    expect(code).toBe(0);
    const name = database.db.databaseName;
    expect(output.split('\n').slice(0, 5)).toEqual([
      `db.adminCommand({ enableSharding: "${name}" })`,
      '',
      '// accounts',
      `db.getSiblingDB("${name}").runCommand({ createIndexes: "accounts", indexes: [{ key: { _id: "hashed" }, name: "_id_hashed" }] })`,
      `db.adminCommand({ shardCollection: "${name}.accounts", key: { _id: "hashed" } })`,
    ]);
    // Its index begins with the shard key, so it needs no other.
    expect(output).toContain(
      `// sessions\ndb.adminCommand({ shardCollection: "${name}.sessions", key: { userid: 1, ts: 1 } })\n`,
    );
    expect(output).toMatch(
      /\/\/ categories: its unique index \{ slug: 1 \} does not begin with a shard key\n\/\/ users: .*email/,
    );
  });

  it('names every declared collection once, also for machines', async () => {
    const { sharded, whole } = JSON.parse((await shardPlan('--json')).output) as typeof plan;
    const named = [...sharded, ...whole].map(({ collection }) => collection);
    expect(named.toSorted()).toEqual([...declaredCollections().keys()].toSorted());
  });

  it('keeps the hits of a site on the shards of its zone', async () => {
    const { output } = await shardPlan('--zone', 'Example.org=north,south');
    expect(output).toContain('db.adminCommand({ addShardToZone: "south", zone: "site example.org" })');
    const range = (end: string) =>
      `{ "metadata.site": "example.org", "metadata.page": ${end}, "metadata.date": ${end} }`;
    expect(output).toContain(
      `db.adminCommand({ updateZoneKeyRange: "${database.db.databaseName}.hits.daily", min: ${range('MinKey()')}, max: ${range('MaxKey()')}, zone: "site example.org" })`,
    );
    expect(await shardPlan('--zone', 'example.org')).toMatchObject({ code: 2, output: '' });
  });

  it('refuses to apply the plan where there is no sharded cluster, and changes nothing', async () => {
    const before = await database.db.collection('sessions').indexes();
    expect(await shardPlan('--apply')).toEqual({
      code: 1,
      output: '',
      errors: 'This is no sharded cluster: MONGODB_URI must name a mongos to apply the plan. Nothing was changed\n',
    });
    expect(await database.db.collection('sessions').indexes()).toEqual(before);
  });
});

/**
 * A config server and a shard, without a mongos, which only passes `shardCollection` on: to the shard that has the database, as
 * `_shardsvrCreateCollection`. So MongoDB's own checks of keys and indexes say whether the plan is right.
 */
describe('the commands of the plan, on the servers of a sharded cluster', () => {
  let sets: ReplicaSet[] = [];
  let clients: MongoClient[] = [];
  beforeAll(async () => {
    sets = await Promise.all([
      startReplicaSet({ name: 'config', role: 'configsvr' }),
      startReplicaSet({ name: 'shard', role: 'shardsvr' }),
    ]);
    clients = await Promise.all(sets.map(({ uri }) => MongoClient.connect(uri)));
    const writeConcern = { w: 'majority' };
    const [, shard] = sets;
    const address = `shard/${shard?.members[0]?.host}`;
    await config().db('admin').command({ _configsvrAddShard: address, name: 'shard', writeConcern });
    await config().db('admin').command({ _configsvrCreateDatabase: DATABASE, primaryShardId: 'shard', writeConcern });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(sets.map((set) => set.stop()));
  });
  const client = (place: number): MongoClient => {
    const found = clients[place];
    if (!found) throw new Error('The servers are there from beforeAll on');
    return found;
  };
  const config = () => client(0);
  const registered = () => config().db('config').collection<{ _id: string; key: Document }>('collections');

  const shardAll = async () => {
    const database = await config()
      .db('config')
      .collection('databases')
      .findOne({ _id: DATABASE as never });
    for (const { commands } of plan.sharded) {
      for (const { command } of commands) {
        if (!('shardCollection' in command)) await client(1).db(DATABASE).command(command);
        else {
          await client(1)
            .db(DATABASE)
            .command({
              _shardsvrCreateCollection: String(command.shardCollection).slice(DATABASE.length + 1),
              shardKey: command.key,
              unique: command.unique ?? false,
              databaseVersion: database?.version,
              writeConcern: { w: 'majority' },
            });
        }
      }
    }
  };

  it('are taken as they are, and may be repeated', async () => {
    // As a server of the product leaves them.
    for (const { collectionName, indexes } of declaredCollections().values()) {
      if (indexes.length > 0) {
        const declared = indexes.map((index) => ({ ...index }));
        await client(1)
          .db(DATABASE)
          .collection(collectionName)
          .createIndexes(declared as never);
      }
    }
    await shardAll();
    await shardAll();
    const found = await registered()
      .find({ _id: new RegExp(`^${DATABASE}\\.`) })
      .toArray();
    const byName = (left: { name: string }, right: { name: string }) => (left.name < right.name ? -1 : 1);
    expect(found.map(({ _id, key }) => ({ name: _id, key })).toSorted(byName)).toEqual(
      plan.sharded.map(({ collection, key }) => ({ name: `${DATABASE}.${collection}`, key })).toSorted(byName),
    );
  });

  it.each([...plan.whole])('would be refused for $collection, which stays whole', async ({ collection }) => {
    const database = await config()
      .db('config')
      .collection('databases')
      .findOne({ _id: DATABASE as never });
    const command = {
      _shardsvrCreateCollection: collection,
      shardKey: { _id: 'hashed' },
      databaseVersion: database?.version,
      writeConcern: { w: 'majority' },
    };
    await expect(client(1).db(DATABASE).command(command)).rejects.toThrow(/unique index/);
  });
});
