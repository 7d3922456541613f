/**
 * A sharded cluster of one shard: a real config server and a real shard. The tests have no mongos; instead, a router translates each
 * command to the servers' internal one, as mongos does, so that MongoDB's own checks of keys, indexes and zones apply. It does not
 * route queries or writes by shard key.
 */
import { type Document, MongoClient, MongoServerError } from 'mongodb';
import { startReplicaSet } from '../../harness/replica-set.js';
import { startWireServer } from './wire-server.js';

export interface ShardCluster {
  /** URI of the router. */
  readonly uri: string;
  readonly config: MongoClient;
  readonly shard: MongoClient;
  stop(): Promise<void>;
}

export const SHARD = 'shard';
const majority = { writeConcern: { w: 'majority' } };

export async function startShardCluster(): Promise<ShardCluster> {
  const sets = await Promise.all([
    startReplicaSet({ name: 'config', role: 'configsvr' }),
    startReplicaSet({ name: SHARD, role: 'shardsvr' }),
  ]);
  const [config, shard] = await Promise.all([MongoClient.connect(sets[0].uri), MongoClient.connect(sets[1].uri)]);
  const address = `${SHARD}/${sets[1].members[0]?.host}`;
  await config.db('admin').command({ _configsvrAddShard: address, name: SHARD, ...majority });
  const router = await startWireServer((command) => answer(config, shard, command));
  return {
    uri: `mongodb://${router.host}/`,
    config,
    shard,
    async stop() {
      router.close();
      await Promise.all([config.close(), shard.close()]);
      await Promise.all(sets.map((set) => set.stop()));
    },
  };
}

async function answer(config: MongoClient, shard: MongoClient, message: Document): Promise<Document> {
  // Fields that belong to the driver's connection.
  const { $db, $clusterTime, $readPreference, lsid, ...command } = message;
  const [name = '', value] = Object.entries(command)[0] ?? [];
  try {
    switch (name) {
      case 'hello':
      case 'ismaster':
        return { ok: 1, msg: 'isdbgrid', isWritablePrimary: true, minWireVersion: 0, maxWireVersion: 17 };
      case 'ping':
      case 'endSessions':
        return { ok: 1 };
      case 'enableSharding': {
        const create = { _configsvrCreateDatabase: value, primaryShardId: SHARD, ...majority };
        return await config.db('admin').command(create);
      }
      case 'addShardToZone':
        return await config.db('admin').command({ _configsvrAddShardToZone: value, zone: command.zone, ...majority });
      case 'updateZoneKeyRange': {
        const { min, max, zone } = command;
        return await config.db('admin').command({ _configsvrUpdateZoneKeyRange: value, min, max, zone, ...majority });
      }
      case 'shardCollection':
        return await shardCollection(config, shard, String(value), command);
      default:
        // A cursor's id must stay a 64-bit number.
        return await ($db === 'config' ? config : shard).db($db).command(command, { promoteLongs: false });
    }
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    return { ok: 0, code: error.code, codeName: error.codeName, errmsg: error.message };
  }
}

async function shardCollection(
  config: MongoClient,
  shard: MongoClient,
  namespace: string,
  { key, unique = false }: Document,
): Promise<Document> {
  const [, database = '', collection = ''] = /^([^.]+)\.(.+)$/.exec(namespace) ?? [];
  const registered = await config
    .db('config')
    .collection<{ _id: string; version: Document }>('databases')
    .findOne({ _id: database });
  return shard.db(database).command({
    _shardsvrCreateCollection: collection,
    shardKey: key,
    unique,
    databaseVersion: registered?.version,
    ...majority,
  });
}
