/** The sample content: filled in once, with its pictures, and taken back as far as nobody has changed it. */
import { afterEach, describe, expect, it } from 'vitest';
import { asNode, type NodeDocument, nodes } from '../../../src/models/content/nodes/node.js';
import { assetUses } from '../../../src/models/content/nodes/node-picture.js';
import { findVersions, versions } from '../../../src/models/content/nodes/node-version.js';
import { tags } from '../../../src/models/content/nodes/tag.js';
import { contentSteps } from '../../../src/models/content/seed/content-seed.js';
import type { SampleNode } from '../../../src/models/content/seed/posts/sample-node.js';
import { sampleContent } from '../../../src/models/content/seed/sample-content.js';
import { addTags } from '../../../src/models/content/tags/node-tags.js';
import { type AssetDocument, assetFiles } from '../../../src/models/system/assets/asset.js';
import { removeUnused } from '../../../src/models/system/assets/asset-removal.js';
import type { WorkDocument } from '../../../src/models/work.js';
import { picturesIn, renderMarkdown } from '../../../src/shared/rendering/markdown.js';
import { useDatabase } from '../../support/database.js';
import { contentsOf, expectSound, repeated, useSeed } from '../../system/work/seed-support.js';
import { add, edit, write } from '../nodes/node-support.js';

const database = useDatabase();
const seed = useSeed(database, 'content');
const samples = sampleContent.flat();

const sampleAt = (path: string): SampleNode => {
  const sample = samples.find((each) => each.path === path);
  if (!sample) throw new Error(`There is no sample at ${path}`);
  return sample;
};

/** Enough for most tests: a blog with a post that shows a photo. */
const few = contentSteps([
  [sampleAt('blog'), sampleAt('gallery')],
  [sampleAt('gallery/the-pointers')],
  [sampleAt('blog/how-to-find-north'), sampleAt('blog/tides')].map((sample) => ({
    ...sample,
    text: sampleAt('blog/how-to-find-north').text ?? '',
  })),
]);

afterEach(async () => {
  for (const collection of [nodes, versions, tags]) await collection(database.db).deleteMany({});
});

const slugs = async () => (await nodes(database.db).find().toArray()).map(({ slug }) => slug).toSorted();

async function at(slug: string): Promise<NodeDocument> {
  const found = await nodes(database.db).findOne({ slug });
  if (!found) throw new Error(`There is no node ${slug}`);
  return asNode(found);
}

const daysBefore = ({ created_at }: WorkDocument, date: Date): number =>
  (created_at.getTime() - date.getTime()) / 86_400_000;

const dayOf = (date: Date): number => Math.floor(date.getTime() / 86_400_000); // in UTC, as the samples are dated

const storedAssets = () =>
  assetFiles(database.db).find({ 'metadata.state': 'STORED' }).toArray() as Promise<AssetDocument[]>;

describe('the sample content', () => {
  it('fills an empty domain with a blog, a gallery with pictures and a page', async () => {
    const { db } = database;
    const filled = await seed.fill();
    expect(filled).toMatchObject({ state: 'FINISHED', done: sampleContent.length, total: sampleContent.length });
    expect(await slugs()).toEqual(samples.map(({ path }) => path.split('/').at(-1)).toSorted());
    const states = await nodes(db).find().toArray();
    const pending = states.filter(({ state }) => state !== 'PUBLISHED').map(({ slug, state }) => [slug, state]);
    expect(pending.toSorted()).toEqual([
      ['fog-signals', 'DRAFT'],
      ['when-noon-is-late', 'SCHEDULED'],
    ]);
    const { published } = await at('when-noon-is-late');
    expect(dayOf(published ?? new Date(0)) - dayOf(filled.created_at)).toBe(3);
    const ages = states.filter(({ state }) => state === 'PUBLISHED').map((node) => daysBefore(filled, node.created));
    expect(Math.min(...ages)).toBeGreaterThan(1);
    expect(Math.max(...ages)).toBeLessThan(100);

    const photos = await nodes(db).find({ type: 'PHOTO' }).toArray();
    const pictures = await storedAssets();
    expect(pictures.map(({ _id }) => _id).toSorted()).toEqual(photos.map(({ detail }) => detail.asset_id).toSorted());
    for (const { length, metadata } of pictures) {
      expect(metadata.content_type).toBe('image/webp');
      expect(length).toBeLessThan(100_000);
      expect(metadata.width).toBeGreaterThanOrEqual(640);
    }
    expect((await at('tides')).asset_ids).toEqual([(await at('springs-and-neaps')).detail.asset_id]);
    expect((await at('a-chart-of-nowhere')).asset_ids).toHaveLength(1);
    const history = await findVersions(db, (await at('tides'))._id, { first: 10, after: null });
    expect(history.edges.map(({ node }) => [node.version, node.published === null])).toEqual([
      [2, false],
      [1, true],
    ]);
    await expectSound(db);
  }, 120_000); // it draws all pictures

  it('has texts that render to what their Markdown says', () => {
    for (const { text = '', path } of samples) {
      const rendered = renderMarkdown(text.replaceAll(/!\[[^\]]+\]\(photo:[a-z-]+\)/g, ''));
      expect(rendered, path).not.toMatch(/\*\*|~~~|^#|\]\(|\|/m);
      expect(picturesIn(text), path).toEqual([]); // they are named by their photos
    }
    const code = renderMarkdown(sampleAt('blog/dead-reckoning').text ?? '');
    expect(code).toContain('<span class="hljs-keyword">function</span>');
    expect(renderMarkdown(sampleAt('blog/tides').text ?? '')).toContain('<table>');
  });

  it('has code that computes what its post says', () => {
    const [, code = ''] = /~~~js\n([\s\S]*?)~~~/.exec(sampleAt('blog/dead-reckoning').text ?? '') ?? [];
    const { latitude, longitude } = new Function(code.replace(/\nreckon\(/, '\nreturn reckon('))();
    expect(code).toContain(`// { latitude: ${latitude.toFixed(4)}, longitude: ${longitude.toFixed(4)} }`);
  });
});

describe('taking back the sample content', () => {
  it('leaves the domain as it was before, if each step is repeated, and its pictures are removed', async () => {
    const { db } = database;
    const before = await contentsOf(db, seed.domain);
    const twice = repeated(few);
    const undone = await seed.undo(await seed.fill(twice), twice);
    expect(undone).toMatchObject({ state: 'UNDONE', done: 0 });
    expect(undone.kept).toBeUndefined();
    expect(await contentsOf(db, seed.domain)).toEqual(before);
    await expectSound(db);
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000); // when also those of the repetitions are checked
    await removeUnused(db, [assetUses], inTwoDays);
    expect(await assetFiles(db).countDocuments()).toBe(0);
  });

  it('removes its pictures at once', async () => {
    const { db } = database;
    await seed.undo(await seed.fill(few), few);
    expect(await storedAssets()).toHaveLength(1);
    await removeUnused(db, [assetUses], new Date());
    expect(await assetFiles(db).countDocuments()).toBe(0);
  });

  it('keeps what was edited or tagged, and what has something below it', async () => {
    const { db } = database;
    const filled = await seed.fill(few);
    await edit(db, await at('how-to-find-north'), { title: 'How to find south' });
    await addTags(db, (await at('the-pointers'))._id, ['mine'], write({ at: new Date() }));
    const undone = await seed.undo(filled, few);
    expect(undone).toMatchObject({ state: 'UNDONE', kept: 4 });
    expect(await slugs()).toEqual(['blog', 'gallery', 'how-to-find-north', 'the-pointers']);
    expect(await at('blog')).toMatchObject({ children: 1 });
    await removeUnused(db, [assetUses], new Date());
    expect(await storedAssets()).toHaveLength(1); // it is still shown
    await expectSound(db);
  });

  it('keeps a blog in which somebody has written', async () => {
    const { db } = database;
    const filled = await seed.fill(few);
    await add(db, { type: 'BLOG_POST', parentId: (await at('blog'))._id, title: 'Mine' });
    expect(await seed.undo(filled, few)).toMatchObject({ state: 'UNDONE', kept: 1 });
    expect(await slugs()).toEqual(['blog', 'mine']);
    await expectSound(db);
  });

  it('takes back what was filled in until it failed', async () => {
    const { db } = database;
    const [first, photo, posts] = few;
    if (!first || !photo || !posts) throw new Error('No steps');
    const late = {
      ...posts,
      fill: async (...held: Parameters<typeof posts.fill>) => {
        const { _id: parentId } = await at('blog');
        await add(db, { type: 'BLOG_POST', parentId, title: 'Mine', slug: 'tides' });
        return posts.fill(...held);
      },
    };
    const failed = await seed.fill([first, photo, late]);
    expect(failed).toMatchObject({ state: 'FAILED', done: 2 });
    expect(failed.failure).toContain('has the slug tides');
    expect(await seed.undo(failed, few)).toMatchObject({ state: 'UNDONE', kept: 1 });
    expect(await slugs()).toEqual(['blog', 'tides']);
    await expectSound(db);
  });
});
