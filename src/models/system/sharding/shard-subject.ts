/**
 * The collections that the adviser simulates: the fields that it reads, the shard keys that it tries, and Sextant's queries. The keys of
 * the request log are the four that the source compares (storing log data, "Sharding Concerns"). Those of hits, sessions, products
 * nodes and zones of ads are the source's keys and the declared ones; comments, posts, news and characters have the declared one and
 * those by their indexes.
 */
import type { Collection, Db, Document } from 'mongodb';
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../../shared/time.js';
import { zones } from '../../ads/zones/zone.js';
import { dailyHits } from '../../analytics/hits/hit.js';
import { findGrowth } from '../../analytics/log-growth/log-growth.js';
import { isTimeSeries, segmentCollection } from '../../analytics/log-growth/log-segment.js';
import { sessions } from '../../analytics/sessions/session.js';
import { comments } from '../../comments/discussion/comment.js';
import { products } from '../../commerce/catalog/product.js';
import { nodes } from '../../content/nodes/node.js';
import { characters } from '../../game/world/character.js';
import { newsPages } from '../../social/news/news-page.js';
import { posts } from '../../social/posts/post.js';
import type { SimulatedKey, SimulatedQuery } from './shard-simulation.js';

export type ShardSubjectName =
  | 'LOG_EVENTS'
  | 'HITS'
  | 'SESSIONS'
  | 'PRODUCTS'
  | 'NODES'
  | 'COMMENTS'
  | 'POSTS'
  | 'NEWS'
  | 'ZONES'
  | 'CHARACTERS';

export interface CandidateKey extends SimulatedKey {
  /** As passed to `shardCollection`. */
  readonly key: string;
  /** A sentence on what else to consider. */
  readonly caveat?: string;
}

/** A collection with documents of the subject. */
export interface SamplePart {
  readonly collection: Collection<Document>;
  /** A time series has no order of arrival, so its documents are read in the order of their `time`. */
  readonly order: 'ARRIVAL' | 'TIME';
}

export interface ShardSubject {
  /** The domain of the collection. */
  readonly domain: string;
  /** The first part holds the latest documents. */
  readonly parts: (db: Db) => Promise<readonly SamplePart[]>;
  /** Expressions of number columns: `time` in milliseconds since 1970, `writes` (writes per document), and hashes. */
  readonly numbers: Readonly<Record<string, Document>>;
  /** Fields of text columns. Only their first TEXT_LENGTH characters are compared. */
  readonly texts: Readonly<Record<string, string | Document>>;
  readonly keys: readonly CandidateKey[];
  readonly queries: readonly SimulatedQuery[];
}

const plain =
  (name: string) =>
  async (db: Db): Promise<SamplePart[]> => [{ collection: db.collection(name), order: 'ARRIVAL' }];

async function findLogParts(db: Db): Promise<SamplePart[]> {
  const { segments } = await findGrowth(db);
  return segments.toReversed().map((segment) => ({
    collection: segmentCollection<Document>(db, segment),
    order: isTimeSeries(segment) ? 'TIME' : 'ARRIVAL',
  }));
}

/** The server's own hash, reduced to 53 of its 64 bits, which keeps the order. */
const hashOf = (field: string) => ({ $toDouble: { $toHashedIndexKey: field } });
const millisecondsOf = (field: string) => ({ $toDouble: field });

/** A shard key for any collection. Most of Sextant's collections use it. */
const hashedId: CandidateKey = { key: '{_id: "hashed"}', fields: ['hash'], isHashed: true };

const logEventSubject: ShardSubject = {
  domain: 'analytics',
  parts: findLogParts,
  numbers: { time: millisecondsOf('$time'), hash: hashOf('$_id') },
  texts: { path: '$path', host: '$host' },
  keys: [
    { key: '{time: 1}', fields: ['time'] },
    hashedId,
    { key: '{path: 1}', fields: ['path'] },
    {
      key: '{path: 1, ssk: 1}',
      fields: ['path', 'hash'],
      caveat:
        'ssk is a hash of _id, stored with each event; {path: 1, _id: "hashed"} does the same without an extra field',
    },
  ],
  queries: [
    { name: 'events of a path', equal: ['path'] },
    { name: 'events of a host on a day', equal: ['host'], spanMs: DAY_MS },
    { name: 'events of a day', equal: [], spanMs: DAY_MS },
    { name: 'requests by day and page, a week', equal: [], spanMs: WEEK_MS },
  ],
};

const hitSubject: ShardSubject = {
  domain: 'analytics',
  parts: plain(dailyHits.collectionName),
  numbers: {
    time: millisecondsOf('$metadata.date'),
    hash: hashOf('$_id'),
    // Every hit is a write to its document. The first one is the insert.
    writes: { $sum: { $map: { input: { $objectToArray: { $ifNull: ['$hourly', {}] } }, in: '$$this.v' } } },
  },
  texts: { id: '$_id', site: '$metadata.site', page: '$metadata.page' },
  keys: [
    { key: '{_id: 1}', fields: ['id'], caveat: 'An _id starts with its day' },
    hashedId,
    { key: '{metadata.site: 1, metadata.page: 1}', fields: ['site', 'page'] },
    { key: '{metadata.site: 1, metadata.page: 1, metadata.date: 1}', fields: ['site', 'page', 'time'] },
  ],
  queries: [
    { name: 'a hit is counted', equal: ['id', 'hash', 'site', 'page', 'time'] },
    { name: 'chart of a page, a day', equal: ['site', 'page'], spanMs: DAY_MS },
    { name: 'chart of a page, a week', equal: ['site', 'page'], spanMs: WEEK_MS },
    { name: 'top pages of a site, a day', equal: ['site'], spanMs: DAY_MS },
  ],
};

const sessionSubject: ShardSubject = {
  domain: 'analytics',
  parts: plain(sessions.collectionName),
  numbers: { time: millisecondsOf('$ts'), hash: hashOf('$_id') },
  texts: { user: '$userid' },
  keys: [
    { key: '{ts: 1}', fields: ['time'] },
    hashedId,
    { key: '{userid: 1}', fields: ['user'] },
    { key: '{userid: 1, ts: 1}', fields: ['user', 'time'] },
  ],
  queries: [
    { name: "sessions of a user's hour, for its roll-up", equal: ['user'], spanMs: HOUR_MS },
    { name: "sessions of a user's week", equal: ['user'], spanMs: WEEK_MS },
    { name: 'sessions that wait for a roll-up', equal: [] },
    { name: 'a session is marked as rolled up', equal: ['hash'] },
  ],
};

const productSubject: ShardSubject = {
  domain: 'commerce',
  parts: plain(products.collectionName),
  numbers: { hash: hashOf('$_id') },
  texts: { sku: '$_id', type: '$type', genre: { $first: { $ifNull: ['$details.genres', []] } } },
  keys: [
    {
      key: '{type: 1, genre: 1, sku: 1}',
      fields: ['type', 'genre', 'sku'],
      caveat:
        'A shard key cannot be an array, so the first genre would need its own field; and a SKU would be unique only within its type and genre',
    },
    hashedId,
  ],
  queries: [
    { name: 'a product by its SKU', equal: ['sku', 'hash'] },
    { name: 'stock of a product is taken', equal: ['sku', 'hash'] },
    { name: 'products of a type', equal: ['type'] },
    { name: 'albums of a genre', equal: ['type', 'genre'] },
    { name: 'products of a category', equal: [] },
  ],
};

const nodeSubject: ShardSubject = {
  domain: 'content',
  parts: plain(nodes.collectionName),
  numbers: { time: millisecondsOf('$created'), hash: hashOf('$_id'), writes: { $toDouble: '$revision' } },
  texts: { parent: '$parent_id', slug: '$slug' },
  keys: [
    { key: '{parent_id: 1, slug: 1}', fields: ['parent', 'slug'] },
    { ...hashedId, caveat: 'With it, MongoDB cannot keep slugs unique within their parent' },
  ],
  queries: [
    { name: 'a node by its parent and slug', equal: ['parent', 'slug'] },
    { name: 'the newest posts of a blog', equal: ['parent'] },
    { name: 'a node by its id', equal: ['hash'] },
    { name: 'an edit is stored', equal: ['hash', 'parent', 'slug'] },
    { name: 'nodes with a tag', equal: [] },
  ],
};

const commentSubject: ShardSubject = {
  domain: 'comments',
  parts: plain(comments.collectionName),
  numbers: { time: millisecondsOf('$posted'), hash: hashOf('$_id'), number: { $toDouble: '$number' } },
  // The comments of visitors have no account, and those that are stored in pages or discussions have no path here.
  texts: {
    discussion: '$discussion',
    path: { $ifNull: ['$path', ''] },
    author: { $ifNull: ['$author._id', ''] },
  },
  keys: [
    { ...hashedId, caveat: 'A page of a discussion asks every shard' },
    {
      key: '{discussion: 1, number: 1}',
      fields: ['discussion', 'number'],
      caveat: 'A lively discussion is on one shard while it grows',
    },
    {
      key: '{discussion: 1, path: 1}',
      fields: ['discussion', 'path'],
      caveat:
        'Comments in EMBEDDED and HYBRID have no path here: those of a discussion are one chunk, which cannot be split',
    },
    {
      key: '{"author._id": 1, posted: 1}',
      fields: ['author', 'time'],
      caveat: 'The comments of visitors have no account: they follow each other on one shard',
    },
  ],
  queries: [
    { name: 'the first page of a discussion', equal: ['discussion'] },
    { name: 'a comment by its id', equal: ['hash'] },
    { name: 'the comments of an author', equal: ['author'] },
    { name: 'a post is stored', equal: ['hash', 'discussion', 'number', 'path', 'author', 'time'] },
  ],
};

const postSubject: ShardSubject = {
  domain: 'social',
  parts: plain(posts.collectionName),
  numbers: {
    time: millisecondsOf('$posted'),
    hash: hashOf('$_id'),
    // Each comment and each vote changes its post.
    writes: { $add: [1, { $ifNull: ['$comments.count', 0] }, { $sum: { $ifNull: ['$detail.options.votes', []] } }] },
  },
  texts: { id: '$_id', wall: '$wall_id', author: '$author_id' },
  keys: [
    { ...hashedId, caveat: 'A page of a wall asks every shard' },
    { key: '{_id: 1}', fields: ['id'], caveat: 'An _id begins with its author' },
    {
      key: '{wall_id: 1, posted: 1}',
      fields: ['wall', 'time'],
      caveat: 'News, votes and comments find posts by their ids, and would ask every shard',
    },
    {
      key: '{author_id: 1, posted: 1}',
      fields: ['author', 'time'],
      caveat: 'News, votes and comments find posts by their ids, and would ask every shard',
    },
  ],
  queries: [
    { name: 'a page of a wall', equal: ['wall'] },
    { name: 'the posts of an author', equal: ['author'] },
    { name: 'a post in the news, by its id', equal: ['id', 'hash'] },
    { name: 'a comment or a vote is counted', equal: ['id', 'hash'] },
    { name: 'a post is published', equal: ['id', 'hash', 'wall', 'author', 'time'] },
  ],
};

const newsSubject: ShardSubject = {
  domain: 'social',
  parts: plain(newsPages.collectionName),
  numbers: {
    time: millisecondsOf('$last'),
    hash: hashOf('$_id'),
    writes: { $max: [1, { $toDouble: '$count' }] }, // each reference is added by a write
  },
  texts: { reader: '$user_id', month: '$month' },
  keys: [
    {
      ...hashedId,
      caveat: 'A page with room is found by its reader, so each reference that is added asks every shard',
    },
    { key: '{user_id: 1}', fields: ['reader'] },
    { key: '{user_id: 1, month: 1}', fields: ['reader', 'month'] },
    { key: '{month: 1, user_id: 1}', fields: ['month', 'reader'], caveat: 'Each month begins on one shard' },
  ],
  queries: [
    { name: 'the news of a reader', equal: ['reader'] },
    { name: 'a reference is added', equal: ['reader', 'month'] },
    { name: 'which of some readers have a post', equal: ['reader'] },
    { name: 'a deleted post is taken out', equal: [] },
  ],
};

const zoneSubject: ShardSubject = {
  domain: 'ads',
  parts: plain(zones.collectionName),
  numbers: { time: millisecondsOf('$created_at'), hash: hashOf('$_id') },
  texts: { id: '$_id', site: '$site_id', zone: '$zone_id' },
  keys: [
    {
      key: '{site_id: 1, zone_id: 1}',
      fields: ['site', 'zone'],
      caveat: 'The zones of a busy site are next to each other, usually on one shard',
    },
    {
      ...hashedId,
      caveat: 'A zone’s _id is its site and name, so a decision still asks one shard, but the zones of a site ask all',
    },
    { key: '{site_id: 1}', fields: ['site'], caveat: 'The zones of a site cannot be split' },
  ],
  queries: [
    { name: 'a decision reads its zone', equal: ['id', 'hash', 'site', 'zone'] },
    { name: 'the zones of a site', equal: ['site'] },
    { name: 'the ads of a campaign are replaced in a zone', equal: ['id', 'hash', 'site', 'zone'] },
    { name: 'a campaign is pulled from all zones', equal: [] },
  ],
};

const characterSubject: ShardSubject = {
  domain: 'game',
  parts: plain(characters.collectionName),
  numbers: {
    time: millisecondsOf('$created_at'),
    hash: hashOf('$_id'),
    // Each happening comes with a newer copy of the room, and each move with another room.
    writes: {
      $add: [1, { $ifNull: ['$offset', 0] }, { $ifNull: ['$location.happened', 0] }, { $ifNull: ['$moves', 0] }],
    },
  },
  texts: { id: '$_id', owner: { $ifNull: ['$owner', ''] }, room: '$location._id' },
  keys: [
    { ...hashedId, caveat: 'Bringing the copies of a room up to date asks every shard, once per round' },
    {
      key: '{"location._id": 1, _id: 1}',
      fields: ['room', 'id'],
      caveat: 'A character that moves would have to move to another shard, and a crowded room is on one shard',
    },
    {
      key: '{owner: 1, _id: 1}',
      fields: ['owner', 'id'],
      caveat:
        'Acts find a character by its id, and would ask every shard. All folk have no owner: they follow each other',
    },
  ],
  queries: [
    { name: 'a screen is read', equal: ['id', 'hash'] },
    { name: 'an act', equal: ['id', 'hash'] },
    { name: 'the characters of a person', equal: ['owner'] },
    { name: 'the copies of a room are brought up to date', equal: ['room'] },
  ],
};

export const shardSubjects: Readonly<Record<ShardSubjectName, ShardSubject>> = {
  LOG_EVENTS: logEventSubject,
  HITS: hitSubject,
  SESSIONS: sessionSubject,
  PRODUCTS: productSubject,
  NODES: nodeSubject,
  COMMENTS: commentSubject,
  POSTS: postSubject,
  NEWS: newsSubject,
  ZONES: zoneSubject,
  CHARACTERS: characterSubject,
};
