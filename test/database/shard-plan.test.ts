import { type Document, MaxKey, MinKey, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSextant, unfolded } from '../../harness/command.js';
import { makeShardPlan } from '../../src/database/collections/shard-plan.js';
import { buildIndexes, declaredCollections } from '../../src/database/index.js';
import { allDomains, collectionsOf } from '../../src/domains.js';
import { useDatabase } from '../support/database.js';
import { SHARD, type ShardCluster, startShardCluster } from './shard-cluster.js';

const DATABASE = 'shop';
const plan = makeShardPlan(DATABASE, collectionsOf(allDomains));

describe('sextant shard-plan', () => {
  const database = useDatabase();
  const shardPlan = (...parameters: string[]) =>
    runSextant(['shard-plan', ...parameters], {
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.db.databaseName,
    });

  it('prints the commands for all collections, and which stay unsharded and why', async () => {
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
    // Its index starts with the shard key, so it needs no other.
    expect(output).toContain(
      `// sessions\ndb.adminCommand({ shardCollection: "${name}.sessions", key: { userid: 1, ts: 1 } })\n`,
    );
    expect(output).toMatch(
      /\/\/ categories: its unique index \{ slug: 1 \} does not start with a shard key\n\/\/ users: .*email/,
    );
  });

  it('names every declared collection once, also as JSON', async () => {
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

  it('refuses to apply the plan without a sharded cluster, and changes nothing', async () => {
    const before = await database.db.collection('sessions').indexes();
    const { code, output, errors } = await shardPlan('--apply');
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(unfolded(errors)).toContain(
      'This is not a sharded cluster: MONGODB_URI must point to a mongos to apply the plan. Nothing was changed',
    );
    expect(await database.db.collection('sessions').indexes()).toEqual(before);
  });
});

describe('sextant shard-plan --apply, on a sharded cluster', () => {
  let cluster: ShardCluster;
  beforeAll(async () => {
    cluster = await startShardCluster();
    // The indexes that a Sextant server builds on start.
    await buildIndexes(cluster.shard.db(DATABASE));
  });
  afterAll(() => cluster?.stop());
  const apply = (database: string, ...parameters: string[]) =>
    runSextant(['shard-plan', '--apply', ...parameters], { MONGODB_URI: cluster.uri, MONGODB_DATABASE: database });
  const findSharded = (database: string) =>
    cluster.config
      .db('config')
      .collection<{ _id: string; key: Document }>('collections')
      .find({ _id: new RegExp(`^${database}\\.`) })
      .sort({ _id: 1 })
      .toArray();
  const told = (outcome: string) => plan.sharded.map(({ collection }) => `${collection}: ${outcome}\n`).join('');

  it('shards every collection of the plan by its key', async () => {
    expect(await apply(DATABASE)).toEqual({ code: 0, output: told('sharded'), errors: expect.any(String) });
    const found = await findSharded(DATABASE);
    expect(found.map(({ _id, key }) => ({ collection: _id, key }))).toEqual(
      plan.sharded.map(({ collection, key }) => ({ collection: `${DATABASE}.${collection}`, key })),
    );
  });

  it('can be repeated, and changes nothing', async () => {
    const before = await findSharded(DATABASE);
    expect(await apply(DATABASE)).toMatchObject({ code: 0, output: told('was already sharded') });
    expect(await findSharded(DATABASE)).toEqual(before);
  });

  it('keeps the hits of a site on the shards of its zone', async () => {
    expect(await apply(DATABASE, '--zone', `example.org=${SHARD}`)).toMatchObject({ code: 0 });
    const ranges = await cluster.config.db('config').collection('tags').find().sort({ ns: 1 }).toArray();
    const range = (end: object) => ({ 'metadata.site': 'example.org', 'metadata.page': end, 'metadata.date': end });
    expect(ranges.map(({ ns, min, max, tag }) => ({ ns, min, max, tag }))).toEqual(
      ['hits.daily', 'hits.monthly'].map((collection) => ({
        ns: `${DATABASE}.${collection}`,
        min: range(new MinKey()),
        max: range(new MaxKey()),
        tag: 'site example.org',
      })),
    );
  });

  it('refuses a collection that is sharded by another key, and changes nothing', async () => {
    const router = await MongoClient.connect(cluster.uri);
    await router.db('admin').command({ enableSharding: 'other' });
    await router.db('admin').command({ shardCollection: 'other.sessions', key: { _id: 'hashed' } });
    await router.close();
    const { code, output, errors } = await apply('other');
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(unfolded(errors)).toContain(
      'sessions is sharded by { _id: "hashed" }, not by { userid: 1, ts: 1 }: change that with reshardCollection. Nothing was changed',
    );
    expect((await findSharded('other')).map(({ _id }) => _id)).toEqual(['other.sessions']);
  });

  it('reports which command the cluster rejected', async () => {
    await cluster.shard.db('third').collection('accounts').createIndex({ name: 1 }, { unique: true });
    const { code, output, errors } = await apply('third');
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(unfolded(errors)).toMatch(/The cluster rejected \{ shardCollection: "third\.accounts", .*unique index/);
  });

  it.each([...plan.whole])('skips $collection, which the cluster would reject', async ({ collection }) => {
    const router = await MongoClient.connect(cluster.uri);
    const command = { shardCollection: `${DATABASE}.${collection}`, key: { _id: 'hashed' } };
    await expect(router.db('admin').command(command)).rejects.toThrow(/unique index/);
    await router.close();
  });
});
