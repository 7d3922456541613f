/** The moderators' page: a live queue, decisions about one comment or many, by pointer and by key. */
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { commentCases } from '../../../src/models/comments/comment-case.js';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { accountOf, createCommented, post, report, stateOf } from '../support/comments.js';
import { type Credentials, eventually, useDashboard } from '../support/dashboard.js';

describeInBrowser('the queue of moderators', () => {
  const dashboard = useDashboard();
  let nodeId: string;
  let edith: Credentials;
  let ann: string;
  let bob: string;
  beforeAll(async () => {
    nodeId = await createCommented(dashboard.product, 'The atlas of light');
    edith = await addAccount(dashboard.product, 'Edith', ['EDITOR']);
    ann = await accountOf(dashboard.db, (await addAccount(dashboard.product, 'Ann', ['MEMBER'])).email);
    bob = await accountOf(dashboard.db, (await addAccount(dashboard.product, 'Bob', ['MEMBER'])).email);
  });
  beforeEach(async () => {
    await commentCases(dashboard.db).deleteMany({});
  });
  const hold = (name: string, text: string) => post(dashboard.db, nodeId, { name }, text);
  const stateIs = (id: string) => eventually(async () => (await stateOf(dashboard.product, id))?.state);

  it('says that there is nothing to decide, and shows what comes at once, with the number beside the section', async () => {
    const page = await dashboard.openSignedIn('/comments', edith);
    await page.getByText('Nothing to decide').waitFor();
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Comments/ });
    expect(await link.textContent()).toBe('Comments');
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    await hold('Zoe', 'I *like* it. <script>alert(1)</script>');
    const zoe = rowOf(page, 'Zoe');
    await zoe.getByText('Held').waitFor();
    expect(await zoe.locator('em').textContent()).toBe('like');
    expect(await zoe.locator('script').count()).toBe(0);
    expect(await zoe.getByRole('link', { name: 'The atlas of light' }).getAttribute('href')).toMatch(/#comment-/);
    await eventually(() => link.textContent()).toBe('Comments1 waiting');

    const reported = await post(dashboard.db, nodeId, { _id: ann }, 'Buy my charts');
    await report(dashboard.db, reported, bob, 'An advertisement');
    const anns = rowOf(page, 'Ann');
    await anns.getByText('Reported', { exact: true }).waitFor();
    await anns.getByText('An advertisement').waitFor();
    expect(await anns.getByRole('list', { name: 'Reports' }).textContent()).toContain('Bob');
    await page.getByText('2 wait, oldest first').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('publishes, hides and deletes one, and takes back what can be taken back', async () => {
    const [first, second, third] = [await hold('Zoe', 'One'), await hold('Yan', 'Two'), await hold('Xiu', 'Three')];
    const page = await dashboard.openSignedIn('/comments');
    await page.getByRole('button', { name: 'Publish the comment by Zoe' }).click();
    await page.getByText('Published 1 comment').waitFor();
    await stateIs(first).toBe('PUBLISHED');
    await page.getByRole('button', { name: 'Hide the comment by Yan' }).click();
    await page.getByText('Hidden 1 comment').waitFor();
    await stateIs(second).toBe('HIDDEN');
    await page.getByRole('button', { name: 'Publish instead: the comment by Yan' }).click();
    await stateIs(second).toBe('PUBLISHED');

    await page.getByRole('button', { name: 'Delete the comment by Xiu' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this comment?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await stateIs(third).toBe('HELD');
    await page.getByRole('button', { name: 'Delete the comment by Xiu' }).click();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Deleted 1 comment').waitFor();
    expect(await page.getByRole('button', { name: /instead: the comment by Xiu/ }).count()).toBe(0);
    await stateIs(third).toBe('DELETED');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear 3 decided' }).click();
    await page.getByText('Nothing to decide').waitFor();
  });

  it('decides about many at once, tells why some were refused, and the audit trail knows', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 120; n += 1) ids.push(await hold(`Visitor ${n}`, `Spam ${n}`));
    const page = await dashboard.openSignedIn('/comments');
    await page.getByText('120 wait').waitFor();
    await eventually(() => boxes(page).count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => boxes(page).count()).toBe(120);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await hold('The last', 'Not spam');
    await eventually(() => boxes(page).count()).toBe(121);
    // Somebody else deletes one.
    const [lost = ''] = ids;
    await dashboard.product.request(
      'mutation ($ids: [ID!]!) { moderateComments(ids: $ids, state: DELETED) { moderated } }',
      {
        ids: [lost],
      },
    );
    await rowOf(page, 'Visitor 0').getByText('Decided meanwhile').waitFor();
    expect(await boxes(page).count()).toBe(120);

    await page.getByLabel('Select all').check();
    await page.getByText('120 selected').waitFor();
    await rowOf(page, 'The last').getByRole('checkbox').uncheck();
    await page.getByRole('button', { name: 'Hide the selected comments' }).click();
    await page.getByText('Hidden 119 comments').waitFor();
    await stateIs(ids[119] ?? '').toBe('HIDDEN');
    await page.getByText('1 waits').waitFor();
    await page.getByRole('button', { name: 'Publish them instead' }).click();
    await page.getByText('Published 119 comments').waitFor();
    await stateIs(ids[119] ?? '').toBe('PUBLISHED');
    await page.goto(`${dashboard.url}/people/audit`);
    await page.getByText(/Hid 119 comments on/).waitFor();
  });

  it('works by keys alone, without leaving the list', async () => {
    const [first, second, third] = [await hold('Zoe', 'One'), await hold('Yan', 'Two'), await hold('Xiu', 'Three')];
    const page = await dashboard.openSignedIn('/comments');
    const focused = () => page.locator(':focus').getAttribute('aria-label');
    await rowOf(page, 'Zoe').getByRole('checkbox').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Select the comment by Yan');
    await page.keyboard.press('k');
    await page.keyboard.press('p');
    await eventually(focused).toBe('Select the comment by Yan');
    await stateIs(first).toBe('PUBLISHED');
    await page.keyboard.press('z');
    await stateIs(first).toBe('HIDDEN');
    await rowOf(page, 'Yan').getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('d');
    await page.getByRole('dialog', { name: 'Delete 2 comments?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Deleted 2 comments').waitFor();
    await stateIs(second).toBe('DELETED');
    await stateIs(third).toBe('DELETED');
    await page.getByText('No comment waits any more').waitFor();
  });

  it('does not move what somebody reads', async () => {
    for (const name of ['Zoe', 'Yan', 'Xiu', 'Will']) await hold(name, `From ${name}, ${'words '.repeat(120)}`);
    const page = await dashboard.openSignedIn('/comments');
    await rowOf(page, 'Will').scrollIntoViewIfNeeded();
    const place = () => rowOf(page, 'Will').boundingBox();
    const before = await place();
    const other = await dashboard.openSignedIn('/comments', edith);
    await other.getByRole('button', { name: 'Hide the comment by Zoe' }).click();
    await rowOf(page, 'Zoe').getByText('Decided meanwhile').waitFor();
    await hold('Vera', 'New');
    await rowOf(page, 'Vera').waitFor();
    expect(await place()).toEqual(before);
    await page.getByRole('radio', { name: 'Reported' }).click();
    await page.getByText('No reported comment waits any more').waitFor();
  });

  it('takes a decision back that did not reach the server, and goes on when it returns', async () => {
    const id = await hold('Zoe', 'One');
    const page = await dashboard.openSignedIn('/comments');
    await rowOf(page, 'Zoe').waitFor();
    await dashboard.stop();
    await page.getByText('The data below may be outdated').waitFor();
    const request = await holdRequests(page);
    await page.getByRole('button', { name: 'Publish the comment by Zoe' }).click();
    await eventually(() => rowOf(page, 'Zoe').getByText('Held').count()).toBe(0);
    await drawLate(page);
    await request.fail();
    await page.getByText('Not done: The server cannot be reached').waitFor();
    expect(await rowOf(page, 'Zoe').getByText('Held').count()).toBe(1);
    await hold('Yan', 'Written meanwhile');
    await dashboard.restart();
    await rowOf(page, 'Yan').waitFor();
    await page.getByRole('button', { name: 'Publish the comment by Zoe' }).click();
    await stateIs(id).toBe('PUBLISHED');
  });

  it('is for editors', async () => {
    const author = await addAccount(dashboard.product, 'Arthur', ['AUTHOR']);
    const page = await dashboard.openSignedIn('/comments', author);
    await page.getByText('You cannot open this page').waitFor();
    expect(
      await page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: /^Comments/ })
        .count(),
    ).toBe(0);
  });
});

const rowOf = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Comments', exact: true })
    .locator('> li')
    .filter({ has: page.locator('strong', { hasText: new RegExp(`^${name}$`) }) });

/** From now on they are under way until they fail. */
async function holdRequests(page: Page) {
  let fail = () => {};
  const failing = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route('**/graphql', async (route) => {
    await failing;
    await route.abort('connectionrefused');
  });
  return {
    fail: async () => {
      fail();
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}

/** As a busy machine does. A text, because the types of tests know no browser. */
const drawLate = (page: Page) =>
  page.evaluate(`{
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => draw((time) => setTimeout(() => callback(time), 500));
  }`);

const boxes = (page: Page) => page.getByRole('list', { name: 'Comments', exact: true }).locator('input:enabled');
