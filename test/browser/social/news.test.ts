/** The news of two people: what waits, what shows at once, what disappears. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Credentials, eventually, useDashboard } from '../support/dashboard.js';

describeInBrowser('the network', () => {
  const dashboard = useDashboard();
  let ann: Credentials;
  let ben: Credentials;
  beforeAll(async () => {
    ann = await addAccount(dashboard.product, 'Ann', ['MEMBER']);
    ben = await addAccount(dashboard.product, 'Ben', ['MEMBER']);
  });

  const join = async (page: Page) => {
    await page.getByRole('button', { name: 'Join the network' }).click();
    await page.getByLabel('What is new?').waitFor();
  };
  const posts = (page: Page) => page.getByRole('article').locator('p[class*="text"]').allInnerTexts();
  const write = async (page: Page, text: string) => {
    await page.getByLabel('What is new?').fill(text);
    await page.keyboard.press('Control+Enter');
  };
  const find = async (page: Page, name: string) => {
    await page.goto(`${dashboard.url}/social/people`);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('list', { name: 'People found' }).getByRole('link', { name }).waitFor();
  };

  it('is joined, and followed live: others’ posts wait behind a button, own ones show at once', async () => {
    const a = await dashboard.openSignedIn('/social', ann);
    await a.getByRole('heading', { name: 'Join the network' }).waitFor();
    expect(await faultsOf(a)).toEqual([]);
    await join(a);
    await a.getByText('No news yet').waitFor();
    const b = await dashboard.openSignedIn('/social', ben);
    await join(b);

    await find(a, 'Ben');
    await a.getByRole('button', { name: 'Follow: circles of Ben' }).click();
    await a.getByLabel('Name of a new circle').fill('Friends');
    await a.getByRole('button', { name: 'Create the circle' }).click();
    await a.getByRole('button', { name: 'Friends: circles of Ben' }).waitFor();
    await a.goto(`${dashboard.url}/social`);
    await write(a, 'By Ann');
    await eventually(() => posts(a)).toEqual(['By Ann']);
    await eventually(() => a.getByLabel('What is new?').inputValue()).toBe('');

    await b.getByLabel('What is new?').focus();
    await b.getByRole('button', { name: 'Public' }).click();
    await b.getByText('Everybody can see it').waitFor();
    await write(b, 'By Ben\non two lines');
    await eventually(() => posts(b)).toContain('By Ben\non two lines');
    await a.getByRole('button', { name: '1 new post' }).waitFor();
    expect(await posts(a)).toEqual(['By Ann']);
    expect(await faultsOf(a)).toEqual([]);
    await a.getByRole('button', { name: '1 new post' }).click();
    expect(await posts(a)).toEqual(['By Ben\non two lines', 'By Ann']);
  });

  it('shows votes and comments in place', async () => {
    const b = await dashboard.openSignedIn('/social', ben);
    const a = await dashboard.openSignedIn('/social', ann);
    await a.getByText('By Ben').waitFor();
    await b.getByRole('button', { name: 'Poll' }).click();
    await b.getByLabel('Question').fill('Sail on Sunday?');
    await b.getByRole('button', { name: 'Post', exact: true }).click();
    await b.getByText('Write at least two options.').waitFor();
    await b.getByLabel('Option 1').fill('Yes');
    await b.getByLabel('Option 2').fill('No');
    await b.getByRole('button', { name: 'Public' }).click();
    await b.getByRole('button', { name: 'Post', exact: true }).click();
    await b.getByRole('group', { name: 'Sail on Sunday?' }).waitFor();
    await a.getByRole('button', { name: '1 new post' }).click();
    await a.getByRole('button', { name: /^Yes ?0 votes/ }).click();
    await a.getByRole('button', { name: /^Yes ?1 vote/, pressed: true }).waitFor();
    await b.getByRole('button', { name: /^Yes ?1 vote/ }).waitFor();
    await a.getByRole('button', { name: 'Comment', exact: true }).first().click();
    await a.getByLabel('Your comment').fill('With **pleasure**');
    await a.getByRole('button', { name: 'Post comment' }).click();
    const latest = b.getByRole('list', { name: 'Latest comments' });
    await latest.getByText('With pleasure').waitFor();
    expect(await latest.getByRole('link', { name: 'Ann' }).count()).toBe(1);
    const comment = a.getByRole('article', { name: 'Comment by Ann' });
    await comment.getByText('just now').waitFor();
    await comment.getByRole('link', { name: 'Ann' }).waitFor();
    expect(await faultsOf(a)).toEqual([]);
  });

  it('removes the posts of who is blocked, on both sides and at once', async () => {
    const a = await dashboard.openSignedIn('/social', ann);
    await a.getByText('By Ben').waitFor();
    const own = a.getByRole('complementary', { name: 'You and your circles' });
    await own.getByText('follows 1').waitFor();
    const b = await dashboard.openSignedIn('/social/people', ben);
    await b.getByLabel('Name', { exact: true }).fill('An');
    await b.getByRole('list', { name: 'People found' }).getByRole('link', { name: 'Ann' }).click();
    await b.getByRole('region', { name: 'Profile of Ann' }).waitFor();
    expect(await faultsOf(b)).toEqual([]);
    await b.getByRole('button', { name: 'Block Ann' }).click();
    await b.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await eventually(() => a.getByText('By Ben').count()).toBe(0);
    await own.getByText('follows 0').waitFor();
    await b.goto(`${dashboard.url}/social/people`);
    await b.getByRole('button', { name: 'Unblock Ann' }).waitFor();
    expect(await faultsOf(b)).toEqual([]);
  });

  it('has circles that people are dragged into', async () => {
    const b = await dashboard.openSignedIn('/social/people', ben);
    await b.getByRole('button', { name: 'Unblock Ann' }).click();
    await b.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
    await b.getByText('You have blocked nobody.').waitFor();
    await b.goto(`${dashboard.url}/social/circles`);
    await b.getByText('You have no circles yet').waitFor();
    await b.getByLabel('Name of a new circle').fill('Crew');
    await b.getByRole('button', { name: 'Create circle' }).click();
    const crew = b.getByRole('region', { name: 'Circle Crew' });
    await crew.getByText('0 people').waitFor();
    await b.getByLabel('Name', { exact: true }).fill('Ann');
    await b.getByRole('listitem').filter({ hasText: 'Ann' }).first().dragTo(crew);
    await crew.getByText('1 person').waitFor();
    expect(await faultsOf(b)).toEqual([]);
    await crew.getByRole('button', { name: 'Ann' }).click();
    await b.getByRole('menuitem', { name: 'Remove from the circle' }).click();
    await crew.getByText('0 people').waitFor();
  });
});
