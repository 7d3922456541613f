/** Nodes of every kind in any number, in their stored form, written with the raw driver. Deterministic for a given size. */
import type { Db } from 'mongodb';
import { makeRandom, type Random } from '../../harness/random.js';
import { buildIndexes } from '../../src/database/index.js';
import { type NodeDocument, type NodeType, nodes, type StoredNode } from '../../src/models/content/nodes/node.js';
import { type NewNode, requireNewNode } from '../../src/models/content/nodes/node-creation.js';
import { type VersionDocument, versionOf, versions } from '../../src/models/content/nodes/node-version.js';
import { type RedirectDocument, redirects } from '../../src/models/content/nodes/redirect.js';
import { keyOfTag, type TagDocument, tags } from '../../src/models/content/nodes/tag.js';
import { DAY_MS, SECOND_MS } from '../../src/shared/time.js';

/** Few enough that each has more nodes than fit on a page, even in the smallest collection. */
const BLOGS = 10;
const FOLDERS = 10;
const GALLERIES = 10;
const TAGS = 50;
const AUTHORS = 20;
/** The first of them. Few, so that a page of what one has in a gallery is full in the small collection, too. */
const PHOTOGRAPHERS = 2;
/** Folders below folders, so that a path has several levels. */
const LEVELS = 4;
/** They were written in the ten years before. */
export const NOW = new Date('2026-03-01T12:00:00Z');
/** MongoDB removes what has passed. */
const FAR = new Date('2100-01-01T00:00:00Z');
const SECONDS = (3650 * DAY_MS) / SECOND_MS;
const VERSIONS_OF_SOME = 30;
const SOME = 100;
const BATCH = 5000;
/** One in so many nodes has a former path, and as many were removed. */
const REDIRECTED = 100;
const SENTENCE = 'The tide went out, and the instruments stayed where they were. ';

export const idOf = (number: number): string => `node-${number}`;
export const tagOf = (random: Random): string => `tag ${random.below(TAGS)}`;
export const authorOf = (random: Random): string => `author-${random.below(AUTHORS)}`;
export const blogOf = (random: Random): string => `blog-${random.below(BLOGS)}`;
export const photographerOf = (random: Random): string => `author-${random.below(PHOTOGRAPHERS)}`;
export const galleryOf = (random: Random): string => `gallery-${random.below(GALLERIES)}`;
/** Half of the galleries have an order by hand. */
export const orderedGallery = (random: Random): string => `gallery-${random.below(GALLERIES / 2) * 2}`;
/** A former path of a node, or one of a node that was removed. */
export const formerPath = (random: Random, size: number, what: 'moved' | 'gone'): string =>
  `/blog-0/${what}-${random.below(size / REDIRECTED)}`;
export const someNode = (random: Random): string => idOf(random.below(SOME));
export const typeOf = (random: Random): NodeType => random.pick(['PAGE', 'BLOG_POST', 'QUOTE', 'PHOTO'] as const);
export const postPath = (random: Random, size: number): string => {
  const number = random.below(size / 10) * 10;
  return `/blog-${number % BLOGS}/${idOf(number)}`;
};
/** Every tenth node is a page. */
export const pagePath = (random: Random, size: number): string => {
  const number = random.below(size / 10) * 10 + PAGE;
  const folder = folderOf(number);
  const below = Array.from({ length: LEVELS - 1 }, (_, level) => `level-${level + 1}`);
  return `/${[folder, ...below, idOf(number)].join('/')}`;
};

const PAGE = 9;
const PHOTO = 8;
const folderOf = (number: number): string => `folder-${Math.floor(number / 10) % FOLDERS}`;
const lastLevelOf = (folder: string): string => `${folder}-${LEVELS - 1}`;

/**
 * Stores `size` nodes below some groups, and their versions and tags. Builds the indexes last, which is faster.
 * @param form that of the nodes; the groups have the present one
 */
export async function fillNodes(
  db: Db,
  size: number,
  form: 'PRESENT_FORM' | 'FIRST_FORM' = 'PRESENT_FORM',
): Promise<void> {
  const random = makeRandom(size);
  const groups = makeGroups();
  const byId = new Map(groups.map((group) => [group._id, group]));
  const counts = new Map<string, number>();
  for (let start = 0; start < size; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, size - start) }, (_, at) => makeNode(start + at, random));
    for (const node of batch) {
      const parent = byId.get(node.parent_id);
      if (parent) parent.children += 1;
      if (node.state === 'PUBLISHED') for (const tag of node.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    const inForm = form === 'PRESENT_FORM' ? batch : batch.map(inFirstForm);
    await nodes(db).insertMany(inForm, { ordered: false, writeConcern: { w: 1 } });
    await versions(db).insertMany(batch.flatMap(versionsOf), { ordered: false, writeConcern: { w: 1 } });
  }
  await nodes(db).insertMany(groups);
  await versions(db).insertMany(groups.flatMap(versionsOf));
  await tags(db).insertMany([...counts].map(([tag, count]): TagDocument => ({ _id: tag, key: keyOfTag(tag), count })));
  await redirects(db).insertMany(makeRedirects(size), { ordered: false });
  await buildIndexes(db);
}

const makeRedirects = (size: number): RedirectDocument[] =>
  Array.from({ length: size / REDIRECTED }, (_, n) => [
    { _id: `blog-0/moved-${n}`, node_id: idOf(n * REDIRECTED), at: NOW },
    { _id: `blog-0/gone-${n}`, node_id: `gone-${n}`, at: NOW, gone_until: FAR, was_public: true },
  ]).flat();

const isOrdered = (gallery: number): boolean => gallery % 2 === 0;

function makeGroups(): NodeDocument[] {
  const group = (id: string, input: Pick<NewNode, 'type' | 'parentId'>, slug = id) =>
    stored(id, NOW, 'author-0', { ...input, slug, title: id, publishedAt: new Date(0) });
  return [
    ...Array.from({ length: BLOGS }, (_, n) => group(`blog-${n}`, { type: 'BLOG' })),
    ...Array.from({ length: GALLERIES }, (_, n) => ({
      ...group(`gallery-${n}`, { type: 'GALLERY' }),
      ...(isOrdered(n) && { photo_order: 'BY_HAND' as const }),
    })),
    ...Array.from({ length: FOLDERS }, (_, n) => `folder-${n}`).flatMap((folder) =>
      Array.from({ length: LEVELS }, (_, level) =>
        level === 0
          ? group(folder, { type: 'FOLDER' })
          : group(
              `${folder}-${level}`,
              { type: 'FOLDER', parentId: level === 1 ? folder : `${folder}-${level - 1}` },
              `level-${level}`,
            ),
      ),
    ),
  ].map((node) => ({ ...node, children: node.type === 'FOLDER' && !node._id.endsWith(`-${LEVELS - 1}`) ? 1 : 0 }));
}

function makeNode(number: number, random: Random): NodeDocument {
  const created = new Date(NOW.getTime() - (1 + random.below(SECONDS)) * SECOND_MS);
  const isDraft = random.below(20) === 0;
  const shared = {
    slug: idOf(number),
    title: `${SENTENCE.slice(0, 20 + random.below(40))} ${number}`,
    tags: [tagOf(random), tagOf(random), tagOf(random)],
    publishedAt: isDraft ? null : created,
  };
  const place = placeOf(number, random);
  const author = place.type === 'PHOTO' ? photographerOf(random) : authorOf(random);
  const node = stored(idOf(number), created, author, { ...shared, ...place });
  const isRanked = node.type === 'PHOTO' && isOrdered(Number(node.parent_id.split('-')[1]));
  return isRanked ? { ...node, rank: number } : node;
}

function placeOf(number: number, random: Random): Pick<NewNode, 'type' | 'parentId' | 'text' | 'source'> {
  const kind = number % 10;
  const text = SENTENCE.repeat(5 + random.below(10));
  if (kind === PAGE) return { type: 'PAGE', parentId: lastLevelOf(folderOf(number)), text };
  if (kind === PHOTO) return { type: 'PHOTO', parentId: galleryOf(random) };
  const parentId = kind === 0 ? `blog-${number % BLOGS}` : blogOf(random);
  return kind < 6 ? { type: 'BLOG_POST', parentId, text } : { type: 'QUOTE', parentId, text, source: 'A pilot' };
}

/** In the form in which the model stores it. */
const stored = (call: string, at: Date, author: string, input: NewNode): NodeDocument =>
  requireNewNode(input, { call, at, author: { _id: author, name: `Name of ${author}` } });

const inFirstForm = ({ form: _form, summary: _summary, words: _words, ...kept }: NodeDocument): StoredNode => kept;

/** Some nodes have several. Older ones are without the text, which no list reads. */
function versionsOf(node: NodeDocument): VersionDocument[] {
  const current = { ...versionOf(node, node.author), detail: {} };
  if (!/^node-\d{1,2}$/.test(node._id)) return [current];
  return Array.from({ length: VERSIONS_OF_SOME }, (_, at) => ({
    ...current,
    _id: { node: node._id, nonce: `${node.nonce}-${at}` },
    version: at + 1,
  }));
}
