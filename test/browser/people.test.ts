import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { administrator } from '../support/product.js';
import { addAccount } from './accounts.js';
import { describeInBrowser } from './chromium.js';
import { eventually, useDashboard } from './dashboard.js';

describeInBrowser('people, as administrators see them', () => {
  const dashboard = useDashboard();

  it('get and lose roles while their pages are open, which follow within a moment', async () => {
    const bob = await addAccount(dashboard.product, 'Bob', ['MEMBER']);
    const his = await dashboard.openSignedIn('/', bob);
    await his.getByText('You are signed in', { exact: true }).waitFor();
    await his.evaluate('globalThis.sameDocument = true');
    expect(await his.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual([
      'GraphiQL',
    ]);

    const page = await dashboard.openSignedIn('/people');
    await setRole(page, 'Bob', 'Administrator', true);
    await his.getByRole('link', { name: 'People' }).waitFor();
    await his.getByRole('link', { name: 'People' }).click();
    await his.getByRole('row', { name: /Bob/ }).waitFor();

    await his.addInitScript(NOTE_CLOSE_CODES);
    await his.reload();
    await his.evaluate('globalThis.sameDocument = true');
    await his.getByRole('row', { name: /Bob/ }).waitFor();
    await eventually(() => his.getByRole('banner').getByRole('status').textContent()).toBe('Live');
    await setRole(page, 'Bob', 'Administrator', false);
    await his.getByText('This page is not for you').waitFor();
    expect(await his.evaluate('globalThis.sameDocument')).toBe(true);
    expect(await his.getByRole('row').count()).toBe(0);
    await eventually(() => his.getByRole('banner').getByRole('status').textContent()).toBe('Live');
    expect(await his.evaluate('globalThis.closeCodes')).toEqual([4403]);
  });

  it('keep a last administrator', async () => {
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('button', { name: 'Roles of Administrator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Administrator' }).uncheck();
    await dialog.getByText('only another one can give it back').waitFor();
    await dialog.getByRole('button', { name: 'Save the roles' }).click();
    expect(await dialog.getByRole('alert').textContent()).toMatch(/last administrator/);
    await page.keyboard.press('Escape');
    await page
      .getByRole('row', { name: /Administrator you/ })
      .getByText('Administrator', { exact: true })
      .waitFor();
  });

  it('are invited by a link that is shown once, and come by it', async () => {
    const page = await dashboard.openSignedIn('/people');
    await page.getByText('Nobody is expected').waitFor();
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('E-mail').fill('Carol@Example.org');
    await page.getByRole('checkbox', { name: 'Editor' }).check();
    await page.getByRole('button', { name: 'Make an invitation' }).click();
    const link = await page.getByLabel('The link', { exact: true }).inputValue();
    expect(link.startsWith(`${dashboard.url}/invitation#`)).toBe(true);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Open invitations' }).getByText('carol@example.org').waitFor();

    const hers = await dashboard.open(link.slice(dashboard.url.length));
    await hers.getByLabel('Name').fill('Carol');
    await hers.getByLabel('Password', { exact: true }).fill('a password of her own');
    await hers.getByRole('button', { name: 'Accept the invitation' }).click();
    await hers.getByRole('link', { name: 'Traffic' }).waitFor();
    expect(new URL(hers.url()).hash).toBe('');
    await hers.getByText('No site is registered yet').waitFor(); // and no form, which would be refused

    await page.reload();
    await page.getByRole('row', { name: /Carol/ }).getByText('Editor').waitFor();
    await page.getByText('Nobody is expected').waitFor();
    const again = await dashboard.open(link.slice(dashboard.url.length));
    await again.getByLabel('Name').fill('Mallory');
    await again.getByLabel('Password', { exact: true }).fill('a password of hers');
    await again.getByRole('button', { name: 'Accept the invitation' }).click();
    expect(await again.getByRole('alert').textContent()).toMatch(/was used before/);
  });

  it('come in vain when the invitation was taken back', async () => {
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('E-mail').fill('dave@example.org');
    await page.getByRole('button', { name: 'Make an invitation' }).click();
    const link = await page.getByLabel('The link', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Take back the invitation of dave@example.org' }).click();
    await page.getByRole('button', { name: 'Take it back', exact: true }).click();
    await page.getByText('Nobody is expected').waitFor();

    const his = await dashboard.open(link.slice(dashboard.url.length));
    await his.getByLabel('Name').fill('Dave');
    await his.getByLabel('Password', { exact: true }).fill('a password of his own');
    await his.getByRole('button', { name: 'Accept the invitation' }).click();
    expect(await his.getByRole('alert').textContent()).toMatch(/was taken back/);
  });

  it('are signed out everywhere when their account is deleted', async () => {
    const erin = await addAccount(dashboard.product, 'Erin', ['EDITOR']);
    const hers = await dashboard.openSignedIn('/', erin);
    await hers.getByText('No site is registered yet').waitFor();
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('button', { name: 'Delete the account of Erin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the account' }).click();
    await hers.getByRole('heading', { name: 'Sign in to Sextant' }).waitFor();
    await eventually(() => page.getByRole('row', { name: /Erin/ }).count()).toBe(0);
  });

  it('are listed page by page, and so is what was done', async () => {
    const { product } = dashboard;
    const invitations = Array.from({ length: 55 }, (_, index) => `guest${String(index).padStart(2, '0')}@example.org`);
    for (const email of invitations) await invite(email);
    const page = await dashboard.openSignedIn('/people/audit');
    const acts = page.getByRole('table', { name: 'Administrative acts' }).locator('tbody tr');
    await eventually(() => acts.count()).toBe(50);
    expect(await acts.first().textContent()).toContain('Invited guest54@example.org as Member');
    expect(await acts.first().textContent()).toContain(administrator.email);
    expect(await acts.first().textContent()).toContain('127.0.0.1');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'That is all' }).waitFor();
    const words = (await acts.allTextContents()).join('\n');
    expect(words).toContain('Gave bob@example.org the role Administrator');
    expect(words).toContain('Took from bob@example.org the role Administrator');
    expect(words).toContain('Deleted the account of erin@example.org');
    expect(new Set(await acts.allTextContents()).size).toBe(await acts.count());

    async function invite(email: string) {
      const { errors } = await product.request(
        'mutation ($input: InviteInput!) { invite(input: $input) { __typename } }',
        {
          input: { email },
        },
      );
      expect(errors).toBeUndefined();
    }
  });

  it('stay in sight while the server is away, and are asked for again when it is back', async () => {
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('row', { name: /Bob/ }).waitFor();
    await dashboard.stop();
    const notices = page.getByText('The server cannot be reached. What stands below may be old.');
    await eventually(() => notices.count()).toBe(2); // of the accounts and of the invitations
    expect(await page.getByRole('row', { name: /Bob/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Roles of Bob' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Editor' }).check();
    await page.getByRole('button', { name: 'Save the roles' }).click();
    expect(await page.getByRole('dialog').getByRole('alert').textContent()).toBe('The server cannot be reached.');

    await dashboard.restart();
    await page.getByRole('button', { name: 'Save the roles' }).click(); // what was entered is still there
    await page.getByRole('row', { name: /Bob/ }).getByText('Editor').waitFor();
    await eventually(() => notices.count()).toBe(0);
  });

  it('who may not see a page are told so, and are offered none', async () => {
    const frank = await addAccount(dashboard.product, 'Frank', ['EDITOR']);
    const page = await dashboard.openSignedIn('/people/audit', frank);
    await page.getByText('This page is not for you').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual([
      'Traffic',
      'Shop',
      'GraphiQL',
    ]);
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await page.getByText('No site is registered yet').waitFor();
  });
});

async function setRole(page: Page, name: string, role: string, on: boolean): Promise<void> {
  await page.getByRole('button', { name: `Roles of ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Roles of ${name}` });
  await dialog.getByRole('checkbox', { name: role }).setChecked(on);
  await dialog.getByRole('button', { name: 'Save the roles' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** In the page: keeps with which codes its sockets are closed. */
const NOTE_CLOSE_CODES = `
  globalThis.closeCodes = [];
  globalThis.WebSocket = class extends WebSocket {
    constructor(...parameters) {
      super(...parameters);
      this.addEventListener('close', ({ code }) => globalThis.closeCodes.push(code));
    }
  };
`;
