import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { administrator } from '../../../harness/product.js';
import { addAccount } from '../support/accounts.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';

describeInBrowser('the people pages for administrators', () => {
  const dashboard = useDashboard();

  it('grant and revoke roles, which open pages of that user follow immediately', async () => {
    const bob = await addAccount(dashboard.product, 'Bob', ['MEMBER']);
    const his = await dashboard.openSignedIn('/', bob);
    await his.getByText('You are signed in', { exact: true }).waitFor();
    await his.evaluate('globalThis.sameDocument = true');
    expect(await his.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual([
      'Network',
      'Game',
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
    await his.getByText('You cannot open this page').waitFor();
    expect(await his.evaluate('globalThis.sameDocument')).toBe(true);
    expect(await his.getByRole('row').count()).toBe(0);
    await eventually(() => his.getByRole('banner').getByRole('status').textContent()).toBe('Live');
    expect(await his.evaluate('globalThis.closeCodes')).toEqual([4403]);
  });

  it('do not let the last administrator lose the role', async () => {
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('button', { name: 'Roles of Administrator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Administrator' }).uncheck();
    await dialog.getByText('Only another administrator can restore the role').waitFor();
    await dialog.getByRole('button', { name: 'Save roles' }).click();
    expect(await dialog.getByRole('alert').textContent()).toMatch(/last administrator/);
    await page.keyboard.press('Escape');
    await page
      .getByRole('row', { name: /Administrator you/ })
      .getByText('Administrator', { exact: true })
      .waitFor();
  });

  it('create an invitation link that is shown once, with which the invited person joins', async () => {
    const page = await dashboard.openSignedIn('/people');
    await page.getByText('No pending invitations').waitFor();
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByLabel('Email').fill('Carol@Example.org');
    await page.getByRole('checkbox', { name: 'Editor' }).check();
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.getByLabel('Invitation link', { exact: true }).inputValue();
    expect(link.startsWith(`${dashboard.url}/invitation#`)).toBe(true);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Pending invitations' }).getByText('carol@example.org').waitFor();

    const hers = await dashboard.open(link.slice(dashboard.url.length));
    await hers.getByLabel('Name').fill('Carol');
    await hers.getByLabel('Password', { exact: true }).fill('a password of her own');
    await hers.getByRole('button', { name: 'Accept invitation' }).click();
    await hers.getByRole('link', { name: 'Traffic' }).waitFor();
    expect(new URL(hers.url()).hash).toBe('');
    await hers.getByText('No site is registered yet').waitFor(); // and no form, which the server would refuse

    await page.reload();
    await page.getByRole('row', { name: /Carol/ }).getByText('Editor').waitFor();
    await page.getByText('No pending invitations').waitFor();
    const again = await dashboard.open(link.slice(dashboard.url.length));
    await again.getByLabel('Name').fill('Mallory');
    await again.getByLabel('Password', { exact: true }).fill('a password of hers');
    await again.getByRole('button', { name: 'Accept invitation' }).click();
    expect(await again.getByRole('alert').textContent()).toMatch(/already used/);
  });

  it('withdraw an invitation, after which its link is refused', async () => {
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByLabel('Email').fill('dave@example.org');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.getByLabel('Invitation link', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Withdraw the invitation for dave@example.org' }).click();
    await page.getByRole('button', { name: 'Withdraw invitation', exact: true }).click();
    await page.getByText('No pending invitations').waitFor();

    const his = await dashboard.open(link.slice(dashboard.url.length));
    await his.getByLabel('Name').fill('Dave');
    await his.getByLabel('Password', { exact: true }).fill('a password of his own');
    await his.getByRole('button', { name: 'Accept invitation' }).click();
    expect(await his.getByRole('alert').textContent()).toMatch(/was withdrawn/);
  });

  it('delete an account, which signs the user out everywhere', async () => {
    const erin = await addAccount(dashboard.product, 'Erin', ['EDITOR']);
    const hers = await dashboard.openSignedIn('/', erin);
    await hers.getByText('No site is registered yet').waitFor();
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('button', { name: 'Delete the account of Erin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
    await hers.getByRole('heading', { name: 'Sign in to Sextant' }).waitFor();
    await eventually(() => page.getByRole('row', { name: /Erin/ }).count()).toBe(0);
  });

  it('list the audit trail page by page', async () => {
    const { product } = dashboard;
    const invitations = Array.from({ length: 55 }, (_, index) => `guest${String(index).padStart(2, '0')}@example.org`);
    for (const email of invitations) await invite(email);
    const page = await dashboard.openSignedIn('/people/audit');
    const acts = page.getByRole('table', { name: 'Administrative actions' }).locator('tbody tr');
    await eventually(() => acts.count()).toBe(50);
    expect(await acts.first().textContent()).toContain('Invited guest54@example.org as Member');
    expect(await acts.first().textContent()).toContain(administrator.email);
    expect(await acts.first().textContent()).toContain('127.0.0.1');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'End of list' }).waitFor();
    const words = (await acts.allTextContents()).join('\n');
    expect(words).toContain('Granted bob@example.org the Administrator role');
    expect(words).toContain('Revoked the Administrator role from bob@example.org');
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

  it('keep their data while the server is unreachable, and refetch when it is back', async () => {
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('row', { name: /Bob/ }).waitFor();
    await dashboard.stop();
    const notices = page.getByText('The server cannot be reached. The data below may be outdated.');
    await notices.waitFor(); // one, although the users and the invitations failed
    expect(await page.getByRole('row', { name: /Bob/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Roles of Bob' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Editor' }).check();
    await page.getByRole('button', { name: 'Save roles' }).click();
    expect(await page.getByRole('dialog').getByRole('alert').textContent()).toBe('The server cannot be reached.');

    await dashboard.restart();
    await page.getByRole('button', { name: 'Save roles' }).click(); // the selection is still there
    await page.getByRole('row', { name: /Bob/ }).getByText('Editor').waitFor();
    await eventually(() => notices.count()).toBe(0);
  });

  it('refuse other users, and are not in their navigation', async () => {
    const frank = await addAccount(dashboard.product, 'Frank', ['EDITOR']);
    const page = await dashboard.openSignedIn('/people/audit', frank);
    await page.getByText('You cannot open this page').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual([
      'Traffic',
      'Commerce',
      'Content',
      'Comments',
      'Ads',
      'Network',
      'Game',
      'System',
      'GraphiQL',
    ]);
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByText('No site is registered yet').waitFor();
  });
});

async function setRole(page: Page, name: string, role: string, on: boolean): Promise<void> {
  await page.getByRole('button', { name: `Roles of ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Roles of ${name}` });
  await dialog.getByRole('checkbox', { name: role }).setChecked(on);
  await dialog.getByRole('button', { name: 'Save roles' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Runs in the page: records the close codes of its sockets. */
const NOTE_CLOSE_CODES = `
  globalThis.closeCodes = [];
  globalThis.WebSocket = class extends WebSocket {
    constructor(...parameters) {
      super(...parameters);
      this.addEventListener('close', ({ code }) => globalThis.closeCodes.push(code));
    }
  };
`;
