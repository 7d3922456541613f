/** The pages of the network besides the news: walls, pictures, incoming posts and reports. */
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Credentials, eventually, useDashboard } from '../support/dashboard.js';
import { addMember } from '../support/network.js';

describeInBrowser('the pages of the network', () => {
  const dashboard = useDashboard();
  let ann: Credentials;
  let ben: Credentials;
  let picture: { name: string; mimeType: string; buffer: Buffer };
  beforeAll(async () => {
    ann = await addAccount(dashboard.product, 'Ann', ['MEMBER']);
    ben = await addAccount(dashboard.product, 'Ben', ['MEMBER']);
    const create = { width: 400, height: 300, channels: 3, background: '#37a' } as const;
    picture = { name: 'sea.png', mimeType: 'image/png', buffer: await sharp({ create }).png().toBuffer() };
  });

  const menu = async (page: Page, name: string, item: string) => {
    await page
      .getByRole('button', { name: `Actions on the post by ${name}` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const openWallOf = async (page: Page, name: string) => {
    await page.goto(`${dashboard.url}/social/people`);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('list', { name: 'People found' }).getByRole('link', { name }).click();
    await page.getByRole('region', { name: `Profile of ${name}` }).waitFor();
  };

  it('show a profile with a picture, which its owner changes', async () => {
    const page = await dashboard.openSignedIn('/social/wall', ann);
    await page.getByLabel('Where you live').fill('Porto');
    await page.getByRole('button', { name: 'Join the network' }).click();
    await page.getByText('Your wall is empty').waitFor();
    await page.getByRole('button', { name: 'Edit profile' }).click();
    expect(await page.getByLabel('Where you live').inputValue()).toBe('Porto');
    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByRole('img', { name: 'Profile picture' }).waitFor();
    await page.getByLabel('What you like').fill('bread, sailing, bread');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save profile' }).click();
    const likes = page.getByRole('list', { name: 'Likes' }).getByRole('listitem');
    await eventually(() => likes.allInnerTexts()).toEqual(['bread', 'sailing']);
    expect(await page.getByRole('region', { name: 'Profile of Ann' }).locator('img').count()).toBe(1);
  });

  it('take photos, and say who sees a post; its author edits and deletes it', async () => {
    const page = await dashboard.openSignedIn('/social', ann);
    await page.getByRole('button', { name: 'Photo', exact: true }).click();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByText('Choose a photo.').waitFor();
    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByRole('img', { name: 'Photo' }).waitFor();
    await page.getByLabel('What is new?').fill('The sea');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('img', { name: 'The sea' }).waitFor();
    await menu(page, 'Ann', 'Who can see this?');
    await page.getByText('Everybody whom you have in any circle.').waitFor();
    await page.getByLabel('Check for a person').fill('Ann');
    await page.getByRole('option', { name: 'Ann' }).click();
    await page.getByText('Ann sees it: it is their own post.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu(page, 'Ann', 'Edit text');
    await page.getByLabel('Text of the post').fill('The sea at night');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').getByText('The sea at night').waitFor();
    await menu(page, 'Ann', 'Delete');
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.getByText('No news yet').waitFor();
  });

  it('show a photo to people who cannot see it by its description, which is kept with the draft', async () => {
    const page = await dashboard.openSignedIn('/social', ann);
    const description = page.getByLabel('Describe the photo for people who cannot see it');
    const form = page.getByRole('form', { name: 'New post' });
    const send = () => page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('button', { name: 'Photo', exact: true }).click();
    expect(await description.count()).toBe(0); // without a photo, there is nothing to describe
    await page.locator('input[type=file]').setInputFiles(picture);
    await description.fill('A boat');
    await form.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.locator('input[type=file]').setInputFiles(picture);
    await eventually(() => description.inputValue()).toBe('');
    await description.fill('A blue sea without a boat');
    await page.getByLabel('What is new?').fill('Calm');
    await page.reload();
    await eventually(() => description.inputValue()).toBe('A blue sea without a boat');
    expect(await faultsOf(page)).toEqual([]);
    await description.fill('x'.repeat(1501));
    await form.getByText('1,501 of 1,500 characters').waitFor();
    await send();
    await form.getByText('The description is 1 character too long: it has at most 1,500.').waitFor();
    await description.fill('A blue sea without a boat');
    await send();
    await page.getByRole('article').getByRole('img', { name: 'A blue sea without a boat', exact: true }).waitFor();
    await menu(page, 'Ann', 'Delete');
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.getByText('No news yet').waitFor();
  });

  it('lay out what is written from right to left as such', async () => {
    const page = await dashboard.openSignedIn('/social', ann);
    const isFromRight = (written: Locator) => written.evaluate((element) => element.matches(':dir(rtl)'));
    await page.getByLabel('What is new?').fill('שלום!');
    expect(await isFromRight(page.getByLabel('What is new?'))).toBe(true);
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    const post = page.getByRole('article').filter({ hasText: 'שלום!' });
    expect(await isFromRight(post.getByText('שלום!'))).toBe(true);
    await post.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByLabel('Your comment').fill('مرحبا!');
    await page.getByRole('button', { name: 'Post comment' }).click();
    const comment = page.getByRole('article', { name: 'Comment by Ann' }).getByText('مرحبا!');
    expect(await isFromRight(comment)).toBe(true);
    await page.getByRole('button', { name: 'Actions on the post by Ann' }).first().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.getByText('No news yet').waitFor();
  });

  it('take links and places, without and with where one is', async () => {
    const here = { latitude: 41.1496, longitude: -8.611 };
    const page = await dashboard.openSignedIn('/social', ann, { geolocation: here, permissions: ['geolocation'] });
    const send = () => page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await send();
    await page.getByText('The address must start with https:// or http://.').waitFor();
    await page.getByLabel('Address').fill('https://example.com/tides?day=1');
    await page.getByLabel('Title of the link').fill('Tide tables');
    await send();
    const link = page.getByRole('article').getByRole('link', { name: 'Tide tables example.com' });
    expect(await link.getAttribute('href')).toBe('https://example.com/tides?day=1');
    expect(await link.getAttribute('rel')).toBe('noreferrer nofollow');
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByLabel('Address').fill('https://example.com/tides?day=2');
    await send();
    await page.getByRole('article').getByRole('link', { name: 'example.com /tides?day=2' }).waitFor();
    await page.getByRole('button', { name: 'Place', exact: true }).click();
    await page.getByLabel('Name of the place').fill('Ribeira');
    await send();
    await page.getByRole('article').filter({ hasText: 'At Ribeira' }).waitFor();
    await page.getByRole('button', { name: 'Place', exact: true }).click();
    await page.getByLabel('Name of the place').fill('The bridge');
    await page.getByLabel('Show the place on a map').click();
    await eventually(() => page.getByLabel('Show the place on a map').isChecked()).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await send();
    const place = page.getByRole('article').filter({ hasText: 'At The bridge' });
    const map = await place.getByRole('link', { name: 'Show on a map' }).getAttribute('href');
    expect(map).toContain('mlat=41.1496&mlon=-8.611');
    expect(await page.getByRole('link', { name: 'Show on a map' }).count()).toBe(1);
  });

  it('keep what is typed while the server is gone, and post it once', async () => {
    const page = await dashboard.openSignedIn('/social', ann);
    await page.getByLabel('What is new?').fill('Once');
    await dashboard.stop();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    const form = page.getByRole('form', { name: 'New post' });
    await form.getByText('The server cannot be reached.').waitFor();
    expect(await page.getByLabel('What is new?').inputValue()).toBe('Once');
    await dashboard.restart();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('article').getByText('Once').waitFor();
    await page.reload();
    await page.getByRole('article').getByText('Once').waitFor();
    expect(await page.getByRole('article').filter({ hasText: 'Once' }).count()).toBe(1);
  });

  it('let others write on a wall, and editors decide about what is reported', async () => {
    const owner = await dashboard.openSignedIn('/social/incoming', ann);
    await owner.getByText('Nobody has written on your wall yet').waitFor();
    const page = await dashboard.openSignedIn('/social', ben);
    await page.getByRole('button', { name: 'Join the network' }).click();
    await page.getByLabel('What is new?').waitFor();
    await openWallOf(page, 'Ann');
    await page.getByLabel('Write on the wall of Ann').fill('Buy my book');
    await page.getByRole('button', { name: 'Public' }).click();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('article').getByText('Buy my book').waitFor();
    await owner.getByText('Buy my book').waitFor();
    await owner.getByText('sees them on your wall, also after you have blocked their author').waitFor();
    expect(await faultsOf(owner)).toEqual([]);
    const ownWall = await dashboard.openSignedIn('/social/wall', ann);
    await ownWall.getByText('Once').waitFor();
    expect(await ownWall.getByText('Buy my book').count()).toBe(0);
    await menu(owner, 'Ben', 'Report');
    await owner.getByLabel('What should a moderator know about it?').fill('An advertisement');
    await owner.getByRole('dialog').getByRole('button', { name: 'Report' }).click();
    await owner.getByText('A moderator will look at it.').waitFor();
    const editor = await dashboard.openSignedIn('/social/reports');
    await editor.getByText('An advertisement').waitFor();
    expect(await faultsOf(editor)).toEqual([]);
    await editor.getByRole('button', { name: 'Delete the post by Ben' }).click();
    await editor.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click();
    await editor.getByText('Nothing was reported').waitFor();
    await eventually(() => page.getByText('Buy my book').count()).toBe(0);
  });

  it('name the owner of the wall among those who see a post whose circle is gone, and show a link that cannot be copied', async () => {
    const [dora, emil] = [await addMember(dashboard.product, 'Dora'), await addMember(dashboard.product, 'Emil')];
    const crew = await dora.circle('Crew');
    const { id } = await dora.post({ text: 'Well done', audience: 'CIRCLES', circleIds: [crew], onWallOf: emil.id });
    const page = await dashboard.openSignedIn(`/social/post/${encodeURIComponent(id)}`, dora);
    const sentence = 'on whose wall it is';
    await menu(page, 'Dora', 'Who can see this?');
    await page.getByText(`Everybody whom you have in: Crew; and Emil, ${sentence}.`).waitFor();
    await page.keyboard.press('Escape');
    await dora.ask('mutation ($id: ID!) { deleteCircle(id: $id) { __typename } }', { id: crew });
    await page.getByText('Circles that are gone').waitFor();
    await menu(page, 'Dora', 'Who can see this?');
    await page.getByText(`Only you and Emil, ${sentence}: the circles that it was shared with are gone.`).waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })"); // as without TLS
    await menu(page, 'Dora', 'Copy link');
    await eventually(() => page.getByLabel('Link to the post').inputValue()).toBe(page.url());
    expect(await faultsOf(page)).toEqual([]);
  });

  it('show editors a reported post that they do not see elsewhere, without its discussion and a link to its page', async () => {
    const [fay, gus] = [await addMember(dashboard.product, 'Fay'), await addMember(dashboard.product, 'Gus')];
    await fay.circle('Crew', [gus]);
    const { id } = await fay.post({ text: 'For the crew', audience: 'MY_CIRCLES' });
    await gus.ask('mutation ($id: ID!) { postComment(nodeId: $id, text: "Really?") { __typename } }', { id });
    await gus.ask('mutation ($id: ID!) { reportPost(id: $id, reason: "A secret") { reported } }', { id });
    const page = await dashboard.openSignedIn('/social/reports');
    const post = page.getByRole('article', { name: 'Post by Fay' });
    await post.getByText('For the crew').waitFor();
    expect(await post.getByText('Really?').count()).toBe(0); // who said it was not reported
    expect(await post.getByRole('link', { name: 'just now' }).count()).toBe(0);
    expect(await post.getByRole('button', { name: /Discuss/ }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  });
});
