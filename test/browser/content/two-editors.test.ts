import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Created, create, createBlog, editorOf, find, textOf, type, waitUntilSaved } from '../support/content.js';
import { type Credentials, eventually, useDashboard } from '../support/dashboard.js';

const TEXT = ['The first line.', '', 'In the middle.', '', 'The last line.'].join('\n');

describeInBrowser('two editors of one post', () => {
  const dashboard = useDashboard();
  let blog: Created;
  let ann: Credentials;
  beforeAll(async () => {
    blog = await createBlog(dashboard.product, 'blog');
    ann = await addAccount(dashboard.product, 'Ann', ['EDITOR']);
  });

  /** A published post, so that nothing is saved automatically, in two windows. */
  async function openTwice(title: string): Promise<{ post: Created; mine: Page; hers: Page }> {
    const input = { type: 'BLOG_POST', parentId: blog.id, title, text: TEXT, publishedAt: '2026-02-01T00:00:00Z' };
    const post = await create(dashboard.product, input);
    const mine = await dashboard.openSignedIn(editorOf(post));
    const hers = await dashboard.openSignedIn(editorOf(post), ann);
    await textOf(mine).waitFor();
    await textOf(hers).waitFor();
    return { post, mine, hers };
  }

  it('see each other’s changes at once, where nothing is unsaved', async () => {
    const { mine, hers } = await openTwice('Seen at once');
    await type(hers, 'end', ' Hers.');
    await hers.keyboard.press('Control+s');
    await mine.getByText('Ann saved version 2 just now').waitFor();
    await eventually(() => textOf(mine).innerText()).toContain('The last line. Hers.');
  });

  it('are told before they write into a version that is no longer the last, and merge both', async () => {
    const { post, mine, hers } = await openTwice('Both at once');
    await type(mine, 'start', 'Mine. ');
    await type(hers, 'end', ' Hers.');
    await hers.keyboard.press('Control+s');
    await waitUntilSaved(hers);
    await mine.getByText('Ann saved version 2 while you were writing').waitFor();
    expect(await textOf(mine).innerText()).toContain('Mine. The first line.');
    await mine.keyboard.press('Control+s');
    const dialog = mine.getByRole('dialog', { name: 'Merge two versions' });
    await dialog.getByText('No line was changed on both sides').waitFor();
    await dialog.getByRole('textbox', { name: 'Text: theirs, version 2' }).waitFor();
    expect(await faultsOf(mine)).toEqual([]);
    await mine.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Save merged version' }).click();
    await waitUntilSaved(mine);
    expect(await find(dashboard.product, post.id)).toMatchObject({
      text: `Mine. ${TEXT} Hers.`,
      version: 3,
    });
    await eventually(() => textOf(hers).innerText()).toContain('Mine. The first line.');
  });

  it('decide where both changed the same line, and can write what becomes of it', async () => {
    const { post, mine, hers } = await openTwice('The same line');
    await type(mine, 'end', ' Mine.');
    await type(hers, 'end', ' Hers.');
    await hers.getByLabel('Title').fill('The very same line');
    await hers.keyboard.press('Control+s');
    await mine.getByRole('button', { name: 'Compare and merge' }).click();
    const dialog = mine.getByRole('dialog', { name: 'Merge two versions' });
    const kept = dialog.getByRole('region', { name: 'Changed by them only' });
    expect(await kept.getByRole('definition').innerText()).toBe('The same line → The very same line');
    await dialog.getByText('In one place both changed the same lines').waitFor();
    const result = dialog.getByRole('textbox', { name: 'Text: will be saved' });
    await result.click();
    await mine.keyboard.press('Control+End');
    await mine.keyboard.insertText(' And hers.');
    await dialog.getByRole('button', { name: 'Save merged version' }).click();
    await waitUntilSaved(mine);
    expect((await find(dashboard.product, post.id)).text).toBe(`${TEXT} Mine. And hers.`);
  });

  it('choose place by place on a phone, where both sides are below each other', async () => {
    const { post, mine, hers } = await openTwice('On a phone');
    await mine.setViewportSize({ width: 390, height: 844 });
    await type(mine, 'start', 'Also mine. ');
    await type(mine, 'end', ' Mine.');
    await type(hers, 'end', ' Hers.');
    await hers.keyboard.press('Control+s');
    await mine.getByRole('button', { name: 'Compare and merge' }).click();
    const dialog = mine.getByRole('dialog', { name: 'Merge two versions' });
    await dialog.getByText('Their lines are red').waitFor();
    expect(await faultsOf(mine)).toEqual([]);
    await mine.setViewportSize({ width: 390, height: 844 });
    const places = dialog.getByRole('button', { name: 'Take theirs' });
    await eventually(() => places.count()).toBe(2);
    await places.last().focus();
    await mine.keyboard.press('Enter');
    await eventually(() => places.count()).toBe(1);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await eventually(() => places.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save merged version' }).click();
    await dialog.waitFor({ state: 'detached' });
    await waitUntilSaved(mine);
    expect((await find(dashboard.product, post.id)).text).toBe(`Also mine. ${TEXT} Hers.`);
  });

  it('keep what they wrote into the merged text when the window becomes narrow, and wide again', async () => {
    const { mine, hers } = await openTwice('Turned');
    await type(mine, 'end', ' Mine.');
    await type(hers, 'end', ' Hers.');
    await hers.keyboard.press('Control+s');
    await mine.getByRole('button', { name: 'Compare and merge' }).click();
    const dialog = mine.getByRole('dialog', { name: 'Merge two versions' });
    const result = dialog.getByRole('textbox', { name: 'Text: will be saved' });
    await result.click();
    await mine.keyboard.press('Control+End');
    await mine.keyboard.insertText(' And hers.');
    await mine.setViewportSize({ width: 390, height: 844 });
    await dialog.getByRole('button', { name: 'Take theirs' }).waitFor();
    expect(await result.innerText()).toContain('Mine. And hers.');
    await mine.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: /^Take these lines/ }).waitFor();
    expect(await result.innerText()).toContain('Mine. And hers.');
  });

  it('keep both when the decision is put off, and nothing is saved until then', async () => {
    const { post, mine, hers } = await openTwice('Later');
    await type(mine, 'end', ' Mine.');
    await type(hers, 'end', ' Hers.');
    await hers.keyboard.press('Control+s');
    await waitUntilSaved(hers);
    await mine.getByRole('button', { name: 'Compare and merge' }).click();
    await mine.getByRole('dialog').waitFor();
    await mine.keyboard.press('Escape');
    await mine.getByText('Conflict', { exact: true }).waitFor();
    expect(await textOf(mine).innerText()).toContain('Mine.');
    expect((await find(dashboard.product, post.id)).text).toBe(`${TEXT} Hers.`);
    await mine.getByRole('button', { name: 'Compare and merge' }).click();
    await mine.getByRole('button', { name: 'Discard my changes' }).click();
    await eventually(() => textOf(mine).innerText()).toContain('The last line. Hers.');
    expect((await find(dashboard.product, post.id)).version).toBe(2);
  });

  it('learn when the other has put the post into the trash', async () => {
    const { mine, hers } = await openTwice('Gone');
    await hers.getByRole('button', { name: 'Move to the trash' }).click();
    await hers.getByRole('dialog').getByRole('button', { name: 'Move to the trash' }).click();
    await mine.getByText('This was moved to the trash').waitFor();
  });
});
