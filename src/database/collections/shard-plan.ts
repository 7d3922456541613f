/**
 * The declared collections on a sharded cluster: the commands that shard them, and the collections that stay unsharded. MongoDB can
 * enforce uniqueness across shards only with an index that starts with the shard key, so collections with other unique indexes stay
 * unsharded.
 */
import { type Document, MaxKey, MinKey, type MongoClient, MongoServerError } from 'mongodb';
import { DatabaseError } from '../connection/database-error.js';
import { isSharded } from '../connection/deployment.js';
import type { CollectionDeclaration, IndexDeclaration } from './collection.js';

/** A command, and the database that it is sent to. */
interface ShardCommand {
  readonly database: string;
  readonly command: Document;
}

interface ShardedCollection {
  readonly collection: string;
  readonly key: Document;
  /** Run in this order. Each is safe to repeat. */
  readonly commands: readonly ShardCommand[];
}

export interface ShardPlan {
  readonly database: string;
  /** Run before the commands of the collections. */
  readonly commands: readonly ShardCommand[];
  readonly sharded: readonly ShardedCollection[];
  /** The collections that stay on one shard, and why. */
  readonly whole: readonly { readonly collection: string; readonly reason: string }[];
}

/** Keeps all documents of a site on these shards, in collections whose shard key starts with the site. */
export interface SiteZone {
  readonly site: string;
  readonly shards: readonly string[];
}

type Declaration = Pick<CollectionDeclaration<Document>, 'collectionName' | 'indexes' | 'shardKey'>;

const SITE = 'metadata.site';

export function makeShardPlan(
  database: string,
  declarations: Iterable<Declaration>,
  zones: readonly SiteZone[] = [],
): ShardPlan {
  const sharded: ShardedCollection[] = [];
  const whole: { collection: string; reason: string }[] = [];
  for (const declaration of [...declarations].sort(byName)) {
    const { collectionName: collection, shardKey: key } = declaration;
    const reason = reasonToStayWhole(declaration);
    if (reason) whole.push({ collection, reason });
    else sharded.push({ collection, key, commands: commandsFor(database, declaration, zones) });
  }
  const shardsOfZones = zones.flatMap(({ site, shards }) => shards.map((shard) => ({ site, shard })));
  return {
    database,
    commands: [
      { database: 'admin', command: { enableSharding: database } },
      ...shardsOfZones.map(({ site, shard }) => ({
        database: 'admin',
        command: { addShardToZone: shard, zone: zoneOf(site) },
      })),
    ],
    sharded,
    whole,
  };
}

const byName = (left: Declaration, right: Declaration) => (left.collectionName < right.collectionName ? -1 : 1);
const zoneOf = (site: string): string => `site ${site}`;

function reasonToStayWhole({ indexes, shardKey }: Declaration): string | null {
  const unsharded = Object.keys(shardKey).length === 0;
  const obstacle = indexes.find((index) => index.unique && (unsharded || !beginsWith(index, shardKey)));
  if (obstacle) return `its unique index ${formatShell(obstacle.key)} does not start with a shard key`;
  return unsharded ? 'it is declared without a shard key' : null;
}

/** Whether an index starts with the fields of a shard key, in its order. */
function beginsWith({ key }: Pick<IndexDeclaration, 'key'>, shardKey: Document): boolean {
  const fields = Object.entries(key);
  return Object.entries(shardKey).every(
    ([name, kind], place) => fields[place]?.[0] === name && fields[place][1] === kind,
  );
}

function commandsFor(
  database: string,
  { collectionName, indexes, shardKey }: Declaration,
  zones: readonly SiteZone[],
): ShardCommand[] {
  const namespace = `${database}.${collectionName}`;
  const admin = (command: Document): ShardCommand => ({ database: 'admin', command });
  // The server creates the index itself only in an empty collection.
  const isIndexed = indexes.some((index) => !index.partialFilterExpression && beginsWith(index, shardKey));
  const createIndex = { createIndexes: collectionName, indexes: [{ key: shardKey, name: indexName(shardKey) }] };
  return [
    ...(isIndexed ? [] : [{ database, command: createIndex }]),
    // For a hashed key, the server creates two chunks per shard while the collection is empty; a ranged one starts with one chunk.
    admin({ shardCollection: namespace, key: shardKey }),
    ...(Object.keys(shardKey)[0] === SITE ? zones : []).map(({ site }) =>
      admin({
        updateZoneKeyRange: namespace,
        min: boundOf(shardKey, site, new MinKey()),
        max: boundOf(shardKey, site, new MaxKey()),
        zone: zoneOf(site),
      }),
    ),
  ];
}

const indexName = (key: Document): string => Object.entries(key).flat().join('_');
const boundOf = (key: Document, site: string, end: MinKey | MaxKey): Document =>
  Object.fromEntries(Object.keys(key).map((name) => [name, name === SITE ? site : end]));

/** What applying the plan did to a collection. */
type ShardOutcome = 'sharded' | 'was already sharded';

/**
 * Runs the plan on a sharded cluster. Safe to repeat, also after an interruption.
 * @throws DatabaseError it is not a sharded cluster, or a collection is sharded by another key, and nothing was changed; or the
 *   cluster rejected a command, and earlier commands stay in effect
 */
export async function applyShardPlan(
  client: MongoClient,
  plan: ShardPlan,
  onCollection: (collection: string, outcome: ShardOutcome) => void,
): Promise<void> {
  if (!(await isSharded(client))) {
    throw new DatabaseError(
      'This is not a sharded cluster: MONGODB_URI must point to a mongos to apply the plan. Nothing was changed',
    );
  }
  const present = await findShardKeys(client, plan);
  for (const { database, command } of plan.commands) await run(client, database, command);
  for (const { collection, commands } of plan.sharded) {
    for (const { database, command } of commands) await run(client, database, command);
    onCollection(collection, present.has(collection) ? 'was already sharded' : 'sharded');
  }
}

/** The planned collections that are already sharded. @throws DatabaseError one is sharded by another key */
async function findShardKeys(client: MongoClient, { database, sharded }: ShardPlan): Promise<Set<string>> {
  const present = new Set<string>();
  const namespaces = sharded.map(({ collection }) => `${database}.${collection}`);
  const registered = client.db('config').collection<{ _id: string; key: Document }>('collections');
  const found = await registered.find({ _id: { $in: namespaces } }).toArray();
  for (const { collection, key } of sharded) {
    const own = found.find(({ _id }) => _id === `${database}.${collection}`);
    if (!own) continue;
    if (JSON.stringify(own.key) !== JSON.stringify(key)) {
      throw new DatabaseError(
        `${collection} is sharded by ${formatShell(own.key)}, not by ${formatShell(key)}: change that with reshardCollection. Nothing was changed`,
      );
    }
    present.add(collection);
  }
  return present;
}

async function run(client: MongoClient, database: string, command: Document): Promise<void> {
  try {
    await client.db(database).command(command);
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    throw new DatabaseError(`The cluster rejected ${formatShell(command)}: ${error.message}`);
  }
}

/** The command in MongoDB shell syntax. */
export function formatCommand({ database, command }: ShardCommand): string {
  return database === 'admin'
    ? `db.adminCommand(${formatShell(command)})`
    : `db.getSiblingDB(${JSON.stringify(database)}).runCommand(${formatShell(command)})`;
}

function formatShell(value: unknown): string {
  if (value instanceof MinKey) return 'MinKey()';
  if (value instanceof MaxKey) return 'MaxKey()';
  if (Array.isArray(value)) return `[${value.map(formatShell).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${formatName(name)}: ${formatShell(field)}`);
  return `{ ${fields.join(', ')} }`;
}

const formatName = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));
