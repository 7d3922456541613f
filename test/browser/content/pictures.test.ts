import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/chromium.js';
import { type Created, create, createBlog, editorOf, find, textOf, waitUntilSaved } from '../support/content.js';
import { eventually, useDashboard } from '../support/dashboard.js';

const png = (background: string) =>
  sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .png()
    .toBuffer();

describeInBrowser('pictures in a text', () => {
  const dashboard = useDashboard();
  let blog: Created;
  beforeAll(async () => {
    blog = await createBlog(dashboard.product, 'blog');
  });
  const open = async (title: string): Promise<{ page: Page; post: Created }> => {
    const post = await create(dashboard.product, {
      type: 'BLOG_POST',
      parentId: blog.id,
      title,
      text: 'Before. After.',
    });
    const page = await dashboard.openSignedIn(editorOf(post));
    await textOf(page).waitFor();
    return { page, post };
  };
  /** Fires the browser's own event with a file, as a drop or a paste from another program does. */
  const give = async (page: Page, event: 'drop' | 'paste', name: string, bytes: Buffer, contentType = 'image/png') => {
    const file = JSON.stringify([[...bytes], name, contentType]);
    await page.evaluate(`(() => {
      const target = document.querySelector('.cm-content');
      const [bytes, name, type] = ${file};
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      const init = { bubbles: true, cancelable: true };
      const { right, top } = target.querySelector('.cm-line').getBoundingClientRect();
      target.dispatchEvent(
        '${event}' === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: transfer, clientX: right - 2, clientY: top + 4 })
          : new ClipboardEvent('paste', { ...init, clipboardData: transfer }),
      );
    })()`);
  };

  it('are uploaded by a drop, and shown in the preview', async () => {
    const { page, post } = await open('Dropped');
    await give(page, 'drop', 'a_blue-sea.png', await png('#336699'));
    await eventually(() => textOf(page).innerText()).toMatch(/!\[a blue sea\]\(asset:[\w=-]+\)/);
    await page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'a blue sea' }).waitFor();
    // It was served.
    await eventually(() => page.evaluate('document.querySelector("article img").naturalWidth')).toBe(320);
    await page.keyboard.press('Control+s');
    await waitUntilSaved(page);
    expect((await find(dashboard.product, post.id)).text).toMatch(
      /^Before\. After\.\n\n!\[a blue sea\]\(asset:[\w=-]+\)\n$/,
    );
  });

  it('are uploaded by a paste, at the cursor', async () => {
    const { page } = await open('Pasted');
    await textOf(page).click();
    await page.keyboard.press('Control+Home');
    await give(page, 'paste', 'red.png', await png('#993333'));
    await eventually(() => textOf(page).innerText()).toMatch(/^!\[red\]\(asset:[\w=-]+\)/);
  });

  it('are uploaded from the file dialog, several at once', async () => {
    const { page } = await open('Chosen');
    const files = await Promise.all(
      ['#111111', '#222222'].map(async (color, index) => ({
        name: `number ${index}.png`,
        mimeType: 'image/png',
        buffer: await png(color),
      })),
    );
    await page.getByLabel('Pictures to insert').setInputFiles(files);
    await eventually(async () => (await textOf(page).innerText()).match(/!\[number \d\]\(asset:/g)?.length).toBe(2);
  });

  it('are refused if they are none, and the text stays as it is', async () => {
    const { page } = await open('Refused');
    await give(page, 'drop', 'false.png', Buffer.from('not a picture'));
    await page.getByRole('alert').filter({ hasText: 'false.png' }).waitFor();
    expect(await textOf(page).innerText()).toBe('Before. After.');
  });
});
