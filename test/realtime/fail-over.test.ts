import { type Db, MongoClient, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplicaSet, startReplicaSet } from '../../harness/replica-set.js';
import { buildIndexes } from '../../src/database/index.js';
import type { NodeDocument } from '../../src/models/content/nodes/node.js';
import { nodeFeed } from '../../src/models/content/nodes/node-feed.js';
import { postFeed } from '../../src/models/content/posts/post-feed.js';
import { Hub } from '../../src/realtime/index.js';
import { formatClusterTime } from '../../src/shared/cluster-time.js';
import { addBlog, addPost, edit, requireStored, violations } from '../content/nodes/node-support.js';
import { TestClient } from './client.js';
import { counterFeed, counters, increment } from './counters.js';
import { Oracle } from './oracle.js';

const ring = { events: 10_000, bytes: 10_000_000 };

describe('a primary that steps down', () => {
  let set: ReplicaSet;
  let client: MongoClient;
  let db: Db;
  let hub: Hub;
  let oracle: Oracle;

  beforeAll(async () => {
    set = await startReplicaSet({ members: 3 });
    client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
    db = client.db('fail_over');
    await counters(db).insertOne({ _id: 'first', n: {} });
    oracle = new Oracle(client, db, counters.collectionName);
    hub = await Hub.create({ db, ring, catchUpsMax: 2 });
  });
  afterAll(async () => {
    await hub.close();
    await oracle.close();
    await client.close();
    await set.stop();
  });

  it('is only a pause for subscribers', async () => {
    const subscriber = new TestClient('kept', oracle);
    await subscriber.connect(hub);
    let written = '';
    let writing = true;
    const writer = (async () => {
      while (writing) written = await write(db, 'kept'); // retried by the driver when the primary steps down
    })();
    await subscriber.through(await write(db, 'kept'));
    await set.stepDown();
    await write(db, 'kept');
    writing = false;
    await writer;
    await subscriber.through(written);
    await subscriber.disconnect();
    expect(subscriber.resets).toEqual({ state: 0, list: 0 });
    expect(hub.health).toMatchObject({ resets: 0 });
    expect(hub.health.interruptions).toBeGreaterThan(0);
  });

  it('is only a pause for followers of a post and of its blog, and for its editor', async () => {
    await buildIndexes(db);
    const blog = await addBlog(db);
    let post = await addPost(db, blog, 'A post');
    const node = await hub.follow(nodeFeed, { id: post._id, sight: 'PUBLIC' });
    const list = await hub.follow(postFeed, { blogId: blog._id, first: 5 });
    const ofNode = new Versions(node, (event) => (event.kind === 'snapshot' ? event.view : event.change));
    const ofList = new Versions(
      list,
      (event) => (event.kind === 'snapshot' ? event.view : event.change).posts[0] ?? null,
    );
    let editing = true;
    const editor = (async () => {
      while (editing) post = requireStored(await edit(db, post, { title: `Version ${post.version + 1}` }));
    })();
    await Promise.all([ofNode.reach(5), ofList.reach(5)]);
    await set.stepDown();
    const { version } = post;
    await Promise.race([Promise.all([ofNode.reach(version + 5), ofList.reach(version + 5)]), editor]);
    editing = false;
    await editor;
    await Promise.all([ofNode.reach(post.version), ofList.reach(post.version)]);
    for (const follow of [node, list]) await follow.return();
    expect([ofNode.resets, ofList.resets]).toEqual([0, 0]);
    expect(await violations(db)).toEqual([]);
  });
});

describe('a lost history', () => {
  let set: ReplicaSet;
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    set = await startReplicaSet({ members: 1, oplogMb: 16, syncDelay: 1 });
    client = await MongoClient.connect(set.uri, { writeConcern: { w: 'majority' } });
    db = client.db('lost_history');
    await increment(db, 'old', 'x');
  });
  afterAll(async () => {
    await client.close();
    await set.stop();
  });

  it('sends a resuming client the state again, marked as a reset', async () => {
    const before = await Hub.create({ db, ring, catchUpsMax: 2 });
    const first = await before.follow(counterFeed, { id: 'old' });
    const { cursor } = (await first.next()).value;
    await before.close();
    await increment(db, 'old', 'x');
    await overflowOplog(client, cursor.slice(0, 16));

    const after = await Hub.create({ db, ring, catchUpsMax: 2 });
    const again = await after.follow(counterFeed, { id: 'old' }, { after: cursor });
    expect((await again.next()).value).toMatchObject({ kind: 'snapshot', reset: true, view: { x: 2 } });
    expect(after.health.resumed).toMatchObject({ lost: 1 });
    await after.close();
  });
});

async function write(db: Db, id: string): Promise<string> {
  const session = db.client.startSession();
  try {
    await counters(db).updateOne({ _id: id }, { $inc: { 'n.a': 1, 'n.b': 1 } }, { upsert: true, session });
    return formatClusterTime(session.operationTime ?? new Timestamp({ t: 0, i: 0 }));
  } finally {
    await session.endSession();
  }
}

/** Writes until the oplog no longer reaches back to a time. */
async function overflowOplog(client: MongoClient, time: string): Promise<void> {
  const filler = client.db('filler').collection<{ _id: number; text: string }>('filler');
  const oplog = client.db('local').collection<{ ts: Timestamp }>('oplog.rs');
  const text = 'x'.repeat(500_000);
  for (let round = 0; ; round += 1) {
    await filler.replaceOne({ _id: round % 10 }, { text: text + round }, { upsert: true });
    const oldest = await oplog.findOne({}, { sort: { $natural: 1 }, projection: { ts: 1 } });
    if (oldest && formatClusterTime(oldest.ts) > time) return;
  }
}

/** Follows one post. Its versions only rise, and none is told twice. */
class Versions<Event extends { readonly reset: boolean }> {
  resets = 0;
  readonly #events: AsyncIterator<Event>;
  readonly #postOf: (event: Event) => NodeDocument | null;
  #seen = 0;

  constructor(events: AsyncIterator<Event>, postOf: (event: Event) => NodeDocument | null) {
    this.#events = events;
    this.#postOf = postOf;
  }

  /** Changes may be merged: not every version is told. */
  async reach(version: number): Promise<void> {
    while (this.#seen < version) {
      const { value, done } = await this.#events.next();
      if (done) throw new Error('The subscription has ended');
      if (value.reset) this.resets += 1;
      const told = this.#postOf(value)?.version ?? 0;
      expect(told).toBeGreaterThan(this.#seen);
      this.#seen = told;
    }
  }
}
