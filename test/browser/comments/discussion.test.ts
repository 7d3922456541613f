/** The live discussion: one component on the public site, in the shop and in the dashboard. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { accountOf, post, stateOf } from '../support/comments.js';
import { create, editorOf } from '../support/content.js';
import { type Credentials, eventually, useDashboard } from '../support/dashboard.js';
import { fillShelves } from '../support/shop.js';

describeInBrowser('a live discussion', () => {
  const dashboard = useDashboard();
  let ann: Credentials;
  let annId: string;
  let benId: string;
  beforeAll(async () => {
    ann = await addAccount(dashboard.product, 'Ann', ['MEMBER']);
    annId = await accountOf(dashboard.db, ann.email);
    benId = await accountOf(dashboard.db, (await addAccount(dashboard.product, 'Ben', ['MEMBER'])).email);
  });

  const addPage = (title: string, own: object = {}) =>
    create(dashboard.product, { type: 'PAGE', title, text: 'Read.', publishedAt: '2026-01-01T00:00:00Z', ...own });
  const addressOf = (title: string) => `/blog/~/${title.toLowerCase().replaceAll(' ', '-')}`;
  const by = (_id: string) => ({ _id });
  const texts = (page: Page) => page.locator('.comment-text').allInnerTexts();
  /** The site's page, when the live discussion has replaced the server's. */
  async function openLive(title: string, credentials?: Credentials, hash = ''): Promise<Page> {
    const path = addressOf(title) + hash;
    const page = await (credentials ? dashboard.openSignedIn(path, credentials) : dashboard.open(path));
    await page.locator('#discussion[aria-busy=false]').waitFor();
    return page;
  }
  const say = async (page: Page, text: string) => {
    await page.getByLabel('Your comment').fill(text);
    await page.getByRole('button', { name: 'Post comment' }).click();
  };

  it('lets a member post, reply, edit and delete, in place', async () => {
    await addPage('In place');
    const page = await openLive('In place', ann);
    await page.getByText('No comments yet').waitFor();
    await say(page, 'The **first** one');
    await page.getByRole('article', { name: 'Comment by Ann' }).waitFor();
    expect(await texts(page)).toEqual(['The first one']);
    expect(await page.getByLabel('Your comment').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Reply to Ann' }).click();
    await page.getByLabel('Your reply to Ann').fill('A reply');
    await page.keyboard.press('Control+Enter');
    await eventually(() => texts(page)).toEqual(['The first one', 'A reply']);
    expect(await page.evaluate('document.activeElement.id')).toBe('comment-2');
    await page.getByRole('button', { name: 'Edit the comment by Ann' }).last().click();
    await page.getByLabel('Your comment').first().fill('A better reply');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => texts(page)).toEqual(['The first one', 'A better reply']);
    await page.getByText('edited').waitFor();
    await page.getByText('1 reply').click();
    expect(await page.getByText('A better reply').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Delete the comment by Ann' }).first().click();
    await page.getByRole('button', { name: 'Delete comment' }).click();
    await page.getByText('This comment was deleted.').waitFor();
    await page.getByText('1 comment', { exact: true }).waitFor();
  });

  it('says that there are new comments, and moves nothing until they are asked for', async () => {
    const { id } = await addPage('News');
    for (const text of ['one', 'two']) await post(dashboard.db, id, by(benId), text);
    const page = await openLive('News');
    expect(await texts(page)).toEqual(['one', 'two']);
    const topOf = async () => (await page.getByText('Only members can comment.').boundingBox())?.y;
    const before = await topOf();
    expect(before).toBeGreaterThan(0);
    for (const text of ['three', 'four', 'five']) await post(dashboard.db, id, by(benId), text);
    await page.getByRole('button', { name: '3 new comments' }).waitFor();
    expect(await texts(page)).toEqual(['one', 'two']);
    expect(await topOf()).toBe(before);
    await page.getByRole('button', { name: '3 new comments' }).click();
    expect(await texts(page)).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(await page.getByRole('button', { name: /new comment/ }).count()).toBe(0);
  });

  it('keeps drafts over a reload, and what is typed while the server is gone', async () => {
    const { id } = await addPage('Drafts');
    await post(dashboard.db, id, by(benId), 'one');
    const page = await openLive('Drafts', ann);
    await page.getByLabel('Your comment').fill('Half a thought');
    await page.getByRole('button', { name: 'Reply to Ben' }).click();
    await page.getByLabel('Your reply to Ben').fill('Half a reply');
    await page.reload();
    await page.locator('#discussion[aria-busy=false]').waitFor();
    expect(await page.getByLabel('Your comment').inputValue()).toBe('Half a thought');
    expect(await page.getByLabel('Your reply to Ben').inputValue()).toBe('Half a reply');
    await dashboard.stop();
    await page.getByRole('button', { name: 'Post reply' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await page.getByLabel('Your reply to Ben').inputValue()).toBe('Half a reply');
    await dashboard.restart();
    await page.getByRole('button', { name: 'Post reply' }).click();
    await eventually(() => texts(page)).toEqual(['one', 'Half a reply']);
  });

  it('leads to a comment that is not on the first page', async () => {
    const { id } = await addPage('Long');
    for (let at = 0; at < 120; at += 1) await post(dashboard.db, id, by(benId), `number ${at}`);
    const page = await openLive('Long', undefined, `#comment-${(111).toString(36)}`);
    const target = page.locator('.comment.is-target');
    await target.waitFor();
    expect(await target.locator('.comment-text').innerText()).toBe('number 110');
    await eventually(async () => ((await target.boundingBox())?.y ?? Infinity) < 900).toBe(true);
  });

  it('shows visitors that their comments wait, and lets members report others', async () => {
    const { id } = await addPage('Visitors', { commentPolicy: 'EVERYBODY' });
    const reported = await post(dashboard.db, id, by(benId), 'Rude');
    const visitor = await openLive('Visitors');
    await visitor.getByLabel('Your name').fill('Vera');
    await say(visitor, 'By a visitor');
    await visitor.getByText('as soon as a moderator has published it').waitFor();
    expect(await texts(visitor)).toEqual(['Rude']);
    const member = await openLive('Visitors', ann);
    await member.getByRole('button', { name: 'Report the comment by Ben' }).click();
    await member.getByLabel('What should a moderator know about it?').fill('It is rude');
    await member.getByRole('button', { name: 'Report comment' }).click();
    await member.getByText('Thank you. A moderator will look at it.').waitFor();
    expect(await stateOf(dashboard.product, reported)).toMatchObject({ state: 'PUBLISHED' });
  });

  it('orders them by time, and says what a reply replies to', async () => {
    await addPage('Ordered');
    const page = await openLive('Ordered', ann);
    await say(page, 'one');
    await eventually(() => texts(page)).toEqual(['one']);
    await say(page, 'two');
    await eventually(() => texts(page)).toEqual(['one', 'two']);
    await page.getByRole('button', { name: 'Reply to Ann' }).first().click();
    await page.getByLabel('Your reply to Ann').fill('below one');
    await page.getByRole('button', { name: 'Post reply' }).click();
    await eventually(() => texts(page)).toEqual(['one', 'below one', 'two']);
    await page.getByRole('button', { name: 'Newest first' }).click();
    await eventually(() => texts(page)).toEqual(['below one', 'two', 'one']);
    await page.getByRole('link', { name: 'in reply to Ann' }).waitFor();
  });

  it('stands in the dashboard, and is accessible', async () => {
    const node = await addPage('Dashboard');
    await post(dashboard.db, node.id, by(annId), 'A question');
    const page = await dashboard.openSignedIn(editorOf(node));
    await page.getByText('A question').waitFor();
    await page.getByRole('button', { name: 'Reply to Ann' }).click();
    await page.getByLabel('Your reply to Ann').fill('An answer');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Post reply' }).click();
    await page.getByText('1 reply').waitFor();
    const site = await openLive('Dashboard', ann);
    expect(await texts(site)).toEqual(['A question', 'An answer']);
    await site.getByRole('button', { name: 'Delete the comment by Ann' }).click();
    expect(await faultsOf(site)).toEqual([]);
  });

  it('stands below a product in the shop', async () => {
    await fillShelves(dashboard.product);
    const page = await dashboard.openSignedIn('/shop/p/CD-1', ann);
    await page.getByText('No comments yet').waitFor();
    await say(page, 'The best record there is');
    await eventually(() => texts(page)).toEqual(['The best record there is']);
    expect(await faultsOf(page)).toEqual([]);
    const visitor = await dashboard.open('/shop/p/CD-1');
    await eventually(() => texts(visitor)).toEqual(['The best record there is']);
    await visitor.getByText('Only members can comment.').waitFor();
  });
});
