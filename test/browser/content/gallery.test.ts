import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Created, create, createBlog, editorOf, waitUntilSaved } from '../support/content.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { moveFingers } from '../support/fingers.js';
import { tabTo } from '../support/keyboard.js';
import { ask } from '../support/narrow-pages.js';

const png = (background: string) =>
  sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
const file = async (name: string, background: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await png(background),
});

interface Image {
  loading: string;
  readonly currentSrc: string;
  decode(): Promise<void>;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly width: number };
}

describeInBrowser('pictures of nodes', () => {
  const dashboard = useDashboard();
  let gallery: Created;
  beforeAll(async () => {
    gallery = await create(dashboard.product, { type: 'GALLERY', title: 'Winter', slug: 'winter' });
  });

  const upload = async (gallery: Created, title: string, [width, height]: readonly [number, number], day: number) => {
    const image = sharp({ create: { width, height, channels: 3, background: '#336699' } });
    await dashboard.product.upload(
      `mutation ($parentId: ID!, $file: Upload!, $input: PhotoInput!) {
        uploadPhoto(parentId: $parentId, file: $file, input: $input) { __typename }
      }`,
      { parentId: gallery.id, input: { title, publishedAt: new Date(Date.UTC(2026, 0, day)).toISOString() } },
      new File([new Uint8Array(await image.png().toBuffer())], 'a.png'),
    );
  };

  it('fill a gallery, several at once, and say which file is no picture', async () => {
    const page = await dashboard.openSignedIn(`/content/gallery?id=${encodeURIComponent(gallery.id)}`);
    await page.getByText('No photos yet').waitFor();
    await page
      .getByLabel('Photos to upload')
      .setInputFiles([
        await file('ice_one.png', '#336699'),
        { name: 'false.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') },
        await file('ice-two.png', '#993333'),
      ]);
    const photos = page.getByRole('list', { name: 'Photos' }).getByRole('link');
    await eventually(async () => (await photos.allTextContents()).toSorted()).toEqual(['ice one', 'ice two']);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Dismiss false.png' }).click();
    await eventually(() => page.evaluate('document.querySelector("li img").naturalWidth')).toBe(320);
    expect(await photos.allTextContents()).toEqual(['ice one', 'ice two']); // as the files
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish 2 drafts' }).click();
    await eventually(() => page.getByText('Published', { exact: true }).count()).toBe(2);
    expect(await photos.allTextContents()).toEqual(['ice one', 'ice two']);
    expect(await page.getByRole('button', { name: /^Publish/ }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await photos.first().click();
    await page.getByLabel('Description').fill('Taken from the jetty.');
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('are put in order by keyboard, by mouse and by touch, for readers too', async () => {
    const { product } = dashboard;
    const publishedAt = '2026-01-01T00:00:00Z';
    const ordered = await create(product, { type: 'GALLERY', title: 'Ordered', slug: 'ordered', publishedAt });
    for (const [day, title] of ['Dog', 'Cat', 'Bee', 'Ant'].entries())
      await create(product, {
        type: 'PHOTO',
        parentId: ordered.id,
        title,
        publishedAt: `2026-01-0${day + 1}T00:00:00Z`,
      });
    const page = await dashboard.openSignedIn(`/content/gallery?id=${encodeURIComponent(ordered.id)}`);
    const tiles = page.getByRole('list', { name: 'Photos' }).getByRole('listitem');
    const shown = async () => {
      const places = await tiles.evaluateAll((all) =>
        all.map((tile) => ({ name: tile.querySelector('a')?.textContent ?? '', box: tile.getBoundingClientRect() })),
      );
      return places
        .toSorted((one, other) => one.box.top - other.box.top || one.box.left - other.box.left)
        .map(({ name }) => name);
    };
    const stored = async () => {
      const { node } = await ask<{ node: { photos: { edges: { node: { title: string } }[] } } }>(
        product,
        'query ($id: ID!) { node(id: $id) { ... on Gallery { photos { edges { node { title } } } } } }',
        { id: ordered.id },
      );
      return node.photos.edges.map((edge) => edge.node.title);
    };
    const isStored = async (order: string[]) => {
      expect(await shown()).toEqual(order);
      await eventually(stored).toEqual(order);
    };
    await page.getByText('Newest first. Drag photos').waitFor();
    expect(await shown()).toEqual(['Ant', 'Bee', 'Cat', 'Dog']);

    await tabTo(page, 'button', 'Move Dog');
    await page.keyboard.press('Space');
    await page.getByText('Dog is grabbed, place 4 of 4.').waitFor({ state: 'attached' });
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Dog: place 2 of 4').waitFor({ state: 'attached' });
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('Dog is back, place 4 of 4.').waitFor({ state: 'attached' });
    expect(await shown()).toEqual(['Ant', 'Bee', 'Cat', 'Dog']);
    expect(await stored()).toEqual(['Ant', 'Bee', 'Cat', 'Dog']);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Space');
    await isStored(['Ant', 'Bee', 'Dog', 'Cat']);
    await page.getByText('In your order.').waitFor();
    expect(await page.getByRole('button', { name: 'Move Dog' }).evaluate((handle) => handle.matches(':focus'))).toBe(
      true,
    );

    const at = async (title: string) => {
      const box = await tiles.filter({ hasText: title }).boundingBox();
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + 40 };
    };
    const [cat, ant] = [await at('Cat'), await at('Ant')];
    await page.mouse.move(cat.x, cat.y);
    await page.mouse.down();
    await page.mouse.move(cat.x + 9, cat.y); // over the same tile
    await page.locator('li[data-grabbed=true]').waitFor();
    expect(await page.locator('p[aria-live=assertive]').textContent()).toBe(''); // no keys for a pointer
    await page.mouse.move(ant.x, ant.y, { steps: 8 });
    await page.mouse.up();
    await isStored(['Cat', 'Ant', 'Bee', 'Dog']);
    expect(page.url()).toContain('/content/gallery'); // a drag is no click

    await page.setViewportSize({ width: 390, height: 844 });
    const handle = await page.getByRole('button', { name: 'Move Cat' }).boundingBox();
    const start = { x: (handle?.x ?? 0) + 10, y: (handle?.y ?? 0) + 10 };
    const end = await at('Ant');
    await moveFingers(page, [start, end]);
    await isStored(['Ant', 'Cat', 'Bee', 'Dog']);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('are whole on the public page, in rows of equal height, whatever their shapes', async () => {
    const { product } = dashboard;
    const publishedAt = '2026-01-01T00:00:00Z';
    const wall = await create(product, { type: 'GALLERY', title: 'Wall', slug: 'wall', publishedAt });
    const sizes = [
      [300, 400],
      [1000, 250],
      [333, 500],
      [500, 400],
      [900, 300],
      [400, 600],
      [500, 500],
      [640, 427],
      [640, 360],
    ] as const;
    // Newest first: the last row but one holds a single photo in upright format at 800 pixels.
    for (const [index, size] of sizes.entries()) await upload(wall, `Shape ${index}`, size, index + 1);
    const page = await dashboard.open('/blog/~/wall');
    for (const width of [390, 800, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const boxes = await page.locator('.grid img').evaluateAll((all) =>
        all.map((image) => {
          const { top, width, height, right } = image.getBoundingClientRect();
          return {
            top,
            width,
            height,
            right,
            ratio: Number(image.getAttribute('width')) / Number(image.getAttribute('height')),
          };
        }),
      );
      expect(boxes).toHaveLength(sizes.length);
      for (const { width, height, ratio } of boxes) expect(Math.abs(width / height / ratio - 1)).toBeLessThan(0.02);
      const tops = [...new Set(boxes.map(({ top }) => Math.round(top)))];
      const rows = tops.map((top) => boxes.filter((box) => Math.round(box.top) === top));
      const heights = rows.map((row) => row.map(({ height }) => height));
      for (const row of heights) expect(Math.max(...row) - Math.min(...row)).toBeLessThan(1);
      const edge = await page.locator('.grid').evaluate((grid) => grid.getBoundingClientRect().right);
      const highest = Math.max(...heights.flat());
      for (const row of rows.slice(0, -1)) {
        const end = Math.max(...row.map(({ right }) => right));
        // A row that does not reach the edge is as high as rows may be.
        expect(end < edge - 1 ? highest - (row[0]?.height ?? 0) : Math.abs(end - edge)).toBeLessThan(1);
      }
      if (width > 390) expect(highest / Math.min(...heights.flat())).toBeLessThan(3.01); // below, each has a row of its own
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await faultsOf(page)).toEqual([]);
  });

  it('are as sharp on the public page as they are wide, whatever their shapes', async () => {
    const publishedAt = '2026-01-01T00:00:00Z';
    const crisp = await create(dashboard.product, { type: 'GALLERY', title: 'Crisp', slug: 'crisp', publishedAt });
    const sizes = [
      [3000, 300],
      [2000, 3000],
      [3000, 2000],
      [1500, 1500],
      [3000, 1000],
      [2700, 1800],
      [1000, 3000],
      [2600, 1300],
      [3000, 700],
      [500, 400],
      [3000, 2000],
      [3000, 2000],
      [3000, 400],
    ] as const;
    for (const [index, size] of sizes.entries()) await upload(crisp, `Shape ${index}`, size, 30 - index);
    for (const width of [390, 600, 800, 1100, 1440, 2000]) {
      const page = await dashboard.open('/blog');
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${dashboard.url}/blog/~/crisp`);
      const images = await page.locator('.grid img').evaluateAll((all) =>
        Promise.all(
          (all as unknown as Image[]).map(async (image) => {
            image.loading = 'eager';
            await image.decode();
            const [, scaled] = /\/assets\/[^/]+\/(\d+)$/.exec(image.currentSrc) ?? [];
            const original = Number(image.getAttribute('width'));
            return { shown: image.getBoundingClientRect().width, chosen: Number(scaled ?? original), original };
          }),
        ),
      );
      expect(images).toHaveLength(sizes.length);
      for (const [at, { shown, chosen, original }] of images.entries()) {
        expect([width, at, chosen, chosen >= Math.min(Math.floor(shown), original)]).toEqual([width, at, chosen, true]);
        // Its row could have been three times as high; and the sizes double.
        expect([width, at, shown, chosen, chosen <= Math.max(320, 7 * shown)]).toEqual([
          width,
          at,
          shown,
          chosen,
          true,
        ]);
      }
      await page.close();
    }
  });

  it('arrive on the open public page, and change their order there, without a reload', async () => {
    const { product } = dashboard;
    const publishedAt = '2026-01-01T00:00:00Z';
    const open = await create(product, { type: 'GALLERY', title: 'Open', slug: 'open', publishedAt });
    const page = await dashboard.open('/blog/~/open');
    await page.getByText('There are no photos here yet.').waitFor();
    await page.evaluate('window.isSame = true');
    const shown = () => page.locator('.grid span').allTextContents();
    await upload(open, 'Ice', [320, 200], 1);
    await eventually(shown).toEqual(['Ice']);
    await upload(open, 'Sea', [320, 200], 2);
    await eventually(shown).toEqual(['Sea', 'Ice']);
    await page.locator('.grid a').first().focus();
    await page.evaluate('window.first = document.querySelector(".grid li")');
    const { node } = await ask<{ node: { photos: { edges: { node: Created }[] } } }>(
      product,
      'query ($id: ID!) { node(id: $id) { ... on Gallery { photos(first: 5) { edges { node { id nonce } } } } } }',
      { id: open.id },
    );
    const [sea, ice] = node.photos.edges.map((edge) => edge.node);
    await ask(product, 'mutation ($id: ID!, $after: ID) { placePhoto(id: $id, after: $after) { __typename } }', {
      id: sea?.id,
      after: ice?.id,
    });
    await eventually(shown).toEqual(['Ice', 'Sea']);
    expect(await page.evaluate('document.querySelectorAll(".grid li")[1] === window.first')).toBe(true);
    expect(await page.evaluate('window.first.contains(document.activeElement)')).toBe(true);
    await ask(product, 'mutation ($id: ID!, $nonce: String!) { deleteNode(id: $id, nonce: $nonce) { __typename } }', {
      id: ice?.id,
      nonce: ice?.nonce,
    });
    await eventually(shown).toEqual(['Sea']);
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('go back to their place, with the reason, when another editor has moved the one before', async () => {
    const { product } = dashboard;
    const [here, there] = [
      await create(product, { type: 'GALLERY', title: 'Here', slug: 'here' }),
      await create(product, { type: 'GALLERY', title: 'There', slug: 'there' }),
    ];
    const photos = [];
    for (const title of ['One', 'Two', 'Three'])
      photos.push(await create(product, { type: 'PHOTO', parentId: here.id, title }));
    const page = await dashboard.openSignedIn(`/content/gallery?id=${encodeURIComponent(here.id)}`);
    await tabTo(page, 'button', 'Move Three');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await ask(
      product,
      'mutation ($id: ID!, $nonce: String!, $to: ID!) { moveNode(id: $id, nonce: $nonce, parentId: $to) { __typename } }',
      { id: photos[0]?.id, nonce: photos[0]?.nonce, to: there.id },
    );
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'no longer in this gallery' }).waitFor();
    const names = page.getByRole('list', { name: 'Photos' }).getByRole('link');
    await eventually(() => names.allTextContents()).toEqual(['Three', 'Two']);
  });

  it('are replaced in the gallery, which names a file that is no picture', async () => {
    const { product } = dashboard;
    const shown = await create(product, { type: 'GALLERY', title: 'Shown', slug: 'shown' });
    const photo = await create(product, { type: 'PHOTO', parentId: shown.id, title: 'Lake' });
    const page = await dashboard.openSignedIn(`/content/gallery?id=${encodeURIComponent(shown.id)}`);
    const replace = async (chosen: { name: string; mimeType: string; buffer: Buffer }) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Replace the picture of Lake' }).click();
      await (await chooser).setFiles(chosen);
    };
    await replace({ name: 'false.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
    await page.getByRole('alert').filter({ hasText: 'Lake still has its old picture. false.png:' }).waitFor();
    await replace(await file('lake.png', '#336699'));
    await eventually(() => page.evaluate('document.querySelector("li img")?.naturalWidth')).toBe(320);
    expect(await page.getByRole('alert').count()).toBe(0);
    const { node } = await ask<{ node: { version: number } }>(
      product,
      'query ($id: ID!) { node(id: $id) { ... on Photo { version } } }',
      { id: photo.id },
    );
    expect(node.version).toBe(2);

    await page.goto(`${dashboard.url}${editorOf(photo)}`);
    await page.getByLabel('Picture', { exact: true }).setInputFiles({
      name: 'wrong.png',
      mimeType: 'image/png',
      buffer: Buffer.from('not a picture'),
    });
    await page.getByRole('alert').filter({ hasText: 'wrong.png:' }).waitFor();
    await page.getByLabel('Picture', { exact: true }).setInputFiles(await file('other.png', '#884422'));
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    const { node: edited } = await ask<{ node: { version: number } }>(
      product,
      'query ($id: ID!) { node(id: $id) { ... on Photo { version } } }',
      { id: photo.id },
    );
    expect(edited.version).toBe(3);
  });

  it('are chosen for a post, and saved with it', async () => {
    const blog = await createBlog(dashboard.product, 'blog');
    const post = await create(dashboard.product, { type: 'IMAGE', parentId: blog.id, title: 'One picture' });
    const page = await dashboard.openSignedIn(editorOf(post));
    await page.getByText('Drop a picture here').waitFor();
    await page.getByLabel('Picture', { exact: true }).setInputFiles(await file('one.png', '#224466'));
    await page.getByRole('img', { name: 'As readers will see it' }).waitFor();
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    const { node } = await ask<{ node: { image: { width: number } } }>(
      dashboard.product,
      'query ($id: ID!) { node(id: $id) { ... on ImagePost { image { width } } } }',
      { id: post.id },
    );
    expect(node.image.width).toBe(320);
  });
});
