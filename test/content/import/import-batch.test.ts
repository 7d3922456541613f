/** What a batch of an import, and of its undo, reads and holds: as many commands for many rows as for a few, and few texts. */
import type { CommandStartedEvent, CommandSucceededEvent } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NodeDocument } from '../../../src/models/content/nodes/node.js';
import { placePhoto } from '../../../src/models/content/posts/photo-order.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { add, addPost, NOW, requireStored, violations } from '../nodes/node-support.js';
import { below, lines, useImports } from './import-support.js';

const database = useDatabase();
const { accept, run, importAll, undo, rejectsOf } = useImports(database);
let folder: NodeDocument;
let folders = 0;

beforeEach(async () => {
  folders += 1;
  folder = await add(database.db, { type: 'FOLDER', title: 'A folder', slug: `folder-${folders}` });
});

interface Traffic {
  readonly commands: string[];
  /** Of the largest answer about content. */
  bytes: number;
}

async function trafficOf(work: () => Promise<unknown>): Promise<Traffic> {
  const traffic: Traffic = { commands: [], bytes: 0 };
  const answered = new Set<number>();
  const onCommand = ({ commandName, command, requestId }: CommandStartedEvent) => {
    const collection = String(command[commandName]);
    if (!collection.startsWith('cms.')) return;
    traffic.commands.push(`${commandName} ${collection}`);
    answered.add(requestId);
  };
  const onAnswer = ({ requestId, reply }: CommandSucceededEvent) => {
    if (answered.has(requestId)) traffic.bytes = Math.max(traffic.bytes, JSON.stringify(reply).length);
  };
  database.client.on('commandStarted', onCommand).on('commandSucceeded', onAnswer);
  try {
    await work();
    return traffic;
  } finally {
    database.client.off('commandStarted', onCommand).off('commandSucceeded', onAnswer);
  }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

/** Pictures by their entries alone: an import reads nothing else of them. */
async function addAssets(count: number): Promise<string[]> {
  const ids = numbers(count).map((number) => `00000000-0000-4000-8${folders}00-${String(number).padStart(12, '0')}`);
  const entries = ids.map((_id) => ({ _id: _id as never, length: 1, metadata: { state: 'STORED' } }));
  await database.db.collection('cms.assets.files').insertMany(entries);
  return ids.map((id) => toGlobalId('Asset', id));
}

describe('a batch of an import', () => {
  const photosIn = async (count: number): Promise<Traffic> => {
    const wall = await add(database.db, {
      type: 'GALLERY',
      title: 'Wall',
      parentId: folder._id,
      slug: `wall-${count}`,
    });
    const photo = await add(database.db, { type: 'PHOTO', title: 'Photo', parentId: wall._id });
    requireStored(await placePhoto(database.db, photo._id, null, NOW));
    const images = await addAssets(count);
    const rows = numbers(count).map((number) => ({
      path: `photo-${number}`,
      type: 'PHOTO',
      title: 'A photo',
      rank: number / 2,
      imageId: images[number],
    }));
    const traffic = await trafficOf(async () =>
      expect(await importAll(lines(rows), { parent: wall })).toMatchObject({ imported: count, rejected: 0 }),
    );
    const ranks = (await below(database.db, wall)).map(({ rank }) => rank);
    expect(new Set(ranks).size).toBe(count + 1);
    await database.db.collection('cms.assets.files').deleteMany({});
    return traffic;
  };

  it('takes as many commands for 50 photos with ranks as for 2', async () => {
    const few = await photosIn(2);
    folders += 1;
    const many = await photosIn(50);
    expect(many.commands).toEqual(few.commands);
    expect(many.commands.length).toBeLessThanOrEqual(15);
    expect(await violations(database.db)).toEqual([]);
  });

  it('takes as many commands for 30 posts with pictures, versions and former places as for 2', async () => {
    const postsIn = async (count: number): Promise<string[]> => {
      const blog = await add(database.db, { type: 'BLOG', title: 'B', parentId: folder._id, slug: `blog-${count}` });
      const images = await addAssets(count * 2);
      const shown = (number: number) => `![a](asset:${images[number]})`;
      const rows = numbers(count).flatMap((number) => [
        { path: `post-${number}`, title: 'A post', text: shown(2 * number), tags: ['a', 'b'] },
        { path: `post-${number}`, version: 2, title: '2', text: shown(2 * number + 1), previousPath: `was-${number}` },
      ]);
      const { commands } = await trafficOf(async () =>
        expect(await importAll(lines(rows), { parent: blog })).toMatchObject({ imported: 2 * count, rejected: 0 }),
      );
      return commands;
    };
    const few = await postsIn(2);
    await database.db.collection('cms.assets.files').deleteMany({});
    folders += 1;
    const many = await postsIn(30);
    expect(many).toEqual(few);
    expect(many.length).toBeLessThanOrEqual(15);
    await database.db.collection('cms.nodes').updateMany({}, { $set: { asset_ids: [] } });
    expect(await violations(database.db)).toEqual([]);
  });

  it('does not read the texts of nodes that are there, unless they may be those of its rows', async () => {
    const blog = await add(database.db, { type: 'BLOG', title: 'Long', parentId: folder._id });
    const text = 'x'.repeat(100_000);
    for (const number of numbers(4))
      await addPost(database.db, blog, `Post ${number}`, { slug: `post-${number}`, text });
    const row = (number: number, fields: object) => ({
      path: `post-${number}`,
      title: `Post ${number}`,
      publishedAt: NOW.toISOString(),
      ...fields,
    });
    const short = [row(0, {}), row(1, { text: 'x' }), row(2, { text: 'x' }), row(3, {})];
    const { bytes } = await trafficOf(async () => {
      const done = await importAll(lines(short), { parent: blog });
      expect(await rejectsOf(done._id, 'field')).toEqual(short.map((_row, index) => [index + 1, 'DIFFERS', 'path']));
    });
    expect(bytes).toBeLessThan(20_000);
    const same = await importAll(lines([row(0, { text }), row(1, { text: `y${text.slice(1)}` })]), { parent: blog });
    expect(same).toMatchObject({ skipped: 1, rejected: 1 });
  });

  it('is bounded in bytes, as is one of its undo', async () => {
    const blog = await add(database.db, { type: 'BLOG', title: 'Long', parentId: folder._id });
    const text = 'é'.repeat(150_000); // 300,000 bytes: three in a mebibyte
    const file = lines(numbers(9).map((number) => ({ path: `post-${number}`, title: 'A post', text })));
    const stepsOf = async (work: (options: { onStep: () => void }) => Promise<unknown>): Promise<number> => {
      let steps = 0;
      const onStep = () => {
        steps += 1;
      };
      await work({ onStep });
      return steps;
    };
    const { _id } = await accept(file, { parent: blog });
    expect(await stepsOf((options) => run(_id, options))).toBe(3 + 1); // the last one sets the total
    const undone = await stepsOf(async (options) =>
      expect(await undo(_id, options)).toMatchObject({ state: 'UNDONE', imported: 0 }),
    );
    expect(undone).toBe(3 + 1); // and begins another pass
    expect(await below(database.db, blog)).toEqual([]);
  });
});
