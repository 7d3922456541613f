/** Discussions of the public site in a browser that runs no script. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { create } from '../support/content.js';
import { useDashboard } from '../support/dashboard.js';
import { LONG } from '../support/narrow-pages.js';

describeInBrowser('a discussion without script', () => {
  const dashboard = useDashboard();

  const addPage = (title: string, slug: string, commentPolicy: string) => {
    const input = { type: 'PAGE', title, slug, commentPolicy, text: 'The text.', publishedAt: '2026-01-01T00:00:00Z' };
    return create(dashboard.product, input);
  };
  /** A page of the site, with the session of another page's browser. */
  async function openWithoutScript(path: string, session?: Page): Promise<Page> {
    const browser = (session ?? (await dashboard.open('/blog'))).context().browser();
    const context = await browser?.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
    if (!context) throw new Error('There is no browser');
    if (session) await context.addCookies(await session.context().cookies());
    const page = await context.newPage();
    await page.goto(dashboard.url + path);
    return page;
  }
  const texts = (page: Page) => page.locator('.comment-text').allInnerTexts();

  it('is read, replied to, and folded', async () => {
    await addPage('For members', 'members', 'MEMBERS');
    const member = await dashboard.openSignedIn('/', await addAccount(dashboard.product, 'Ann', ['MEMBER']));
    const page = await openWithoutScript('/blog/~/members', member);
    await page.getByLabel('Your comment').fill('The **first** comment');
    await page.getByRole('button', { name: 'Post comment' }).click();
    expect(page.url()).toContain('?comment=1#comment-1');
    await page.getByText('Reply', { exact: true }).click();
    await page.getByLabel('Your reply to Ann').fill('A reply');
    await page.getByRole('button', { name: 'Post reply' }).click();
    expect(page.url()).toContain('?comment=1/2#comment-2');
    expect(await texts(page)).toEqual(['The first comment', 'A reply']);
    await page.getByText('1 reply').click();
    expect(await page.getByText('A reply').isVisible()).toBe(false);
  });

  it('lets a visitor comment, keeps what cannot be posted, and says when a moderator reads it first', async () => {
    await addPage('For everybody', 'everybody', 'EVERYBODY');
    const page = await openWithoutScript('/blog/~/everybody');
    await page.getByLabel('Your comment').fill('A visit');
    await page.getByRole('button', { name: 'Post comment' }).click();
    await page.getByText('Please give your name, or sign in.').waitFor();
    expect(await page.getByLabel('Your comment').inputValue()).toBe('A visit');
    await page.getByLabel('Your name').fill('Vera');
    await page.getByRole('button', { name: 'Post comment' }).click();
    await page.getByText('Your comment will appear as soon as a moderator has published it').waitFor();
    expect(await texts(page)).toEqual([]);
  });

  it('is accessible, and fits on a phone', async () => {
    await addPage('Long', 'long', 'MEMBERS');
    const member = await dashboard.openSignedIn('/', await addAccount(dashboard.product, 'Ben', ['MEMBER']));
    const page = await openWithoutScript('/blog/~/long', member);
    for (let depth = 0; depth < 8; depth += 1) {
      if (depth > 0) await page.getByText('Reply', { exact: true }).last().click();
      await page
        .getByLabel(depth > 0 ? 'Your reply to Ben' : 'Your comment')
        .last()
        .fill(`${depth} ${LONG}`);
      await page
        .getByRole('button', { name: depth > 0 ? 'Post reply' : 'Post comment' })
        .last()
        .click();
    }
    expect((await texts(page)).length).toBe(8);
    const withScript = await dashboard.open('/blog/~/long'); // the check is a script itself
    expect(await faultsOf(withScript)).toEqual([]);
    for (const width of [320, 390, 2560]) {
      await withScript.setViewportSize({ width, height: 900 });
      const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect([width, await withScript.evaluate(isTooWide)]).toEqual([width, false]);
    }
  });
});
