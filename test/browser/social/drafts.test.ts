/** What is being written in the network: it survives a reload, is posted once, and is nobody else's. */
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { holdOperation } from '../support/held-operation.js';
import { addMember, type Member } from '../support/network.js';

describeInBrowser('drafts of posts', () => {
  const dashboard = useDashboard();
  let ann: Member;
  let ben: Member;
  let page: Page;
  beforeAll(async () => {
    ann = await addMember(dashboard.product, 'Ann');
    ben = await addMember(dashboard.product, 'Ben');
  });
  beforeEach(async () => {
    page = await dashboard.openSignedIn('/social', ann);
  });
  const text = () => page.getByLabel('What is new?');
  const post = () => page.getByRole('button', { name: 'Post', exact: true }).click();
  const kept = () => page.evaluate<number>('Object.keys(localStorage).filter((key) => key.includes("drafts")).length');
  const postsOf = async (member: Member, wanted: string): Promise<number> => {
    const { wall } = await member.ask<{ wall: { edges: { node: { text: string } }[] } }>(
      'query ($id: ID!) { wall(userId: $id, first: 50) { edges { node { text } } } }',
      { id: member.id },
    );
    return wall.edges.filter(({ node }) => node.text === wanted).length;
  };

  it('survive a reload, with their type, audience and fields', async () => {
    await text().fill('Which way?');
    await page.getByRole('button', { name: 'Poll' }).click();
    await page.getByLabel('Question').fill('North or south?');
    await page.getByLabel('Option 1').fill('North');
    await page.getByRole('button', { name: 'Public' }).click();
    await page.reload();
    await eventually(() => text().inputValue()).toBe('Which way?');
    expect(await page.getByLabel('Question').inputValue()).toBe('North or south?');
    expect(await page.getByLabel('Option 1').inputValue()).toBe('North');
    await page.getByRole('button', { name: 'Public', pressed: true }).waitFor();
    await page.getByLabel('Option 2').fill('South');
    await post();
    await page.getByRole('group', { name: 'North or south?' }).waitFor();
    await eventually(kept).toBe(0);
  });

  it('are not cut when a text is too long: the length shows, and posting is refused until it is shorter', async () => {
    await text().fill('x'.repeat(10_002));
    await page.getByText('10,002 of 10,000 characters').waitFor();
    await post();
    await page.getByText('The text is 2 characters too long: a post has at most 10,000.').waitFor();
    await text().fill(`${'x'.repeat(10_000)}\n`);
    await page.getByText('10,000 of 10,000 characters').waitFor();
    await post();
    await eventually(() => text().inputValue()).toBe('');
    await page.getByRole('button', { name: 'Actions on the post by Ann' }).first().click();
    await page.getByRole('menuitem', { name: 'Edit text' }).click();
    await page.getByLabel('Text of the post').fill('y'.repeat(10_001));
    await page.keyboard.press('Control+Enter');
    await page.getByText('The text is 1 character too long').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('are for some of many circles: the first ones and the chosen ones show, and all are found in a list', async () => {
    const many = await addMember(dashboard.product, 'Many');
    for (let at = 10; at < 50; at += 1) await many.circle(`Circle ${at}`);
    const form = await dashboard.openSignedIn('/social', many);
    await form.getByLabel('What is new?').fill('For two of them');
    const audience = form.getByRole('group', { name: 'Who may see it' });
    await audience.getByRole('button', { name: 'Circle 10' }).click();
    await audience.getByRole('button', { name: 'All 40 circles' }).click();
    await form.getByLabel('Find a circle').fill('nothing');
    await form.getByText('No circle has this in its name.').waitFor();
    await form.getByLabel('Find a circle').fill('circle 4');
    expect(await faultsOf(form)).toEqual([]);
    await form.getByRole('checkbox', { name: 'Circle 47' }).check();
    await form.keyboard.press('Escape');
    await audience.getByRole('button', { name: 'Circle 47', pressed: true }).waitFor();
    expect(await audience.getByRole('button', { name: /^Circle/ }).count()).toBe(7);
    const button = await form.getByRole('button', { name: 'Post', exact: true }).boundingBox();
    expect(button?.y).toBeLessThan(600);
    await form.getByRole('button', { name: 'Post', exact: true }).click();
    await form.getByRole('article').getByText('Circle 10, Circle 47').waitFor();
  });

  it('are one for each wall', async () => {
    await text().fill('For everybody');
    await page.goto(`${dashboard.url}/social/wall/${ben.id}`);
    const onWall = page.getByLabel('Write on the wall of Ben');
    await onWall.waitFor();
    expect(await onWall.inputValue()).toBe('');
    await onWall.fill('For Ben');
    await page.goto(`${dashboard.url}/social`);
    await eventually(() => text().inputValue()).toBe('For everybody');
    await page.getByRole('button', { name: 'Discard' }).click();
    await eventually(() => text().inputValue()).toBe('');
    await page.goto(`${dashboard.url}/social/wall/${ben.id}`);
    await eventually(() => onWall.inputValue()).toBe('For Ben');
  });

  it('are posted once, although the answer to the first attempt is lost and the page is reloaded', async () => {
    let lost = 0;
    await page.route('**/graphql', async (route) => {
      if (lost > 0 || !route.request().postData()?.includes('publishPost')) return route.continue();
      lost += 1;
      await route.fetch(); // the server publishes it
      await route.abort();
    });
    dashboard.expectErrors(/ERR_FAILED/);
    await text().fill('Said once');
    await post();
    await page.getByText('The server cannot be reached.').first().waitFor();
    expect(await text().inputValue()).toBe('Said once');
    await page.reload();
    await eventually(() => text().inputValue()).toBe('Said once');
    await post();
    await eventually(() => text().inputValue()).toBe('');
    expect(lost).toBe(1);
    expect(await postsOf(ann, 'Said once')).toBe(1);
  });

  it('cannot be changed until the answer has come: changes would be lost with the draft', async () => {
    const letGo = await holdOperation(page, 'publishPost');
    await text().fill('Slowly said');
    await post();
    await page.getByRole('button', { name: 'Posting…' }).waitFor();
    expect(await text().isEditable()).toBe(false);
    for (const name of ['Link', 'Place', 'Public', 'Posting…'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true);
    letGo();
    await eventually(() => text().inputValue()).toBe('');
    expect(await page.getByRole('button', { name: 'Place', exact: true }).isEnabled()).toBe(true);
  });

  it('take the focus when the answer comes, unless it is elsewhere by then: a menu that is open stays open', async () => {
    const letGo = await holdOperation(page, 'publishPost');
    await text().fill('Said meanwhile');
    await post();
    await page.getByRole('button', { name: 'Posting…' }).waitFor();
    await page.getByRole('button', { name: 'Actions on the post by Ann' }).last().click();
    await page.getByRole('menuitem', { name: 'Edit text' }).waitFor();
    letGo();
    await eventually(() => text().inputValue()).toBe('');
    expect(await page.getByRole('menuitem', { name: 'Edit text' }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await text().fill('Said next');
    await post();
    await eventually(() => text().inputValue()).toBe('');
    await eventually(() => text().evaluate((field) => field.matches(':focus'))).toBe(true);
  });

  it('begin with what was shared, which can be taken out again', async () => {
    const { id } = await ben.post({ text: 'Worth sharing', audience: 'PUBLIC' });
    await page.goto(`${dashboard.url}/social/post/${id}`);
    await page.getByRole('button', { name: 'Actions on the post by Ben' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    await page.getByText('Worth sharing').waitFor();
    await eventually(() => new URL(page.url()).search).toBe('');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Do not share this object' }).click();
    await eventually(() => page.getByText('Worth sharing').count()).toBe(0);
    await page.goto(`${dashboard.url}/social?about=${encodeURIComponent(id)}`);
    await page.getByText('Post by Ben').waitFor();
    await text().fill('Look at this');
    await post();
    const shared = page.getByRole('article').filter({ hasText: 'Look at this' });
    await shared.getByRole('link', { name: 'Worth sharing' }).click();
    await eventually(() => new URL(page.url()).pathname).toBe(`/social/post/${id}`);
    await page.getByRole('article', { name: 'Post by Ben' }).waitFor();
  });

  it('are removed when the person signs out', async () => {
    await text().fill('A secret');
    await eventually(kept).toBe(1);
    await page.getByRole('button', { name: 'Signed in as Ann' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await kept()).toBe(0);
  });
});
