/** The pages of people and programs by axe-core, as `accessibility.test.ts` has the others. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAccount, inviteBy } from './accounts.js';
import { faultsOf } from './axe.js';
import { describeInBrowser } from './chromium.js';
import { useDashboard } from './dashboard.js';

const expectNoFaults = async (page: Page) => expect.soft(await faultsOf(page)).toEqual([]);

describeInBrowser('axe-core on the pages of people and programs', () => {
  const dashboard = useDashboard(async () => ({ SIGN_UP: 'open' }));

  it('finds nothing wrong with signing up, with an invitation and with a broken link', async () => {
    const page = await dashboard.open('/sign-up');
    await page.getByLabel('Name').waitFor();
    await expectNoFaults(page);
    await page.goto(`${dashboard.url}/invitation#token`);
    await page.getByLabel('Name').waitFor();
    await expectNoFaults(page);
    await page.goto(`${dashboard.url}/confirm`);
    await page.getByText('This link is not whole').waitFor();
    await expectNoFaults(page);
  });

  it('finds nothing wrong with a forgotten password', async () => {
    const page = await dashboard.open('/forgot');
    await page.getByLabel('E-mail').waitFor();
    await expectNoFaults(page);
    await page.goto(`${dashboard.url}/reset#token`);
    await page.getByLabel('New password').waitFor();
    await expectNoFaults(page);
  });

  it('finds nothing wrong with empty lists', async () => {
    const page = await dashboard.openSignedIn('/people/keys');
    await page.getByText('No program has a key').waitFor();
    await expectNoFaults(page);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByText('Nothing has been done yet').waitFor();
    await expectNoFaults(page);
  });

  it('finds nothing wrong with people, their roles and invitations', async () => {
    await addAccount(dashboard.product, 'Ann', ['EDITOR', 'MEMBER']);
    await inviteBy(dashboard.product, 'ben@example.org', []);
    const page = await dashboard.openSignedIn('/people');
    await page.getByRole('row', { name: /Ann/ }).waitFor();
    await page.getByRole('row', { name: /ben@example.org/ }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Roles of Ann' }).click();
    await page.getByRole('dialog').waitFor();
    await expectNoFaults(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('E-mail').fill('carol@example.org');
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Make an invitation' }).click();
    await page.getByLabel('The link', { exact: true }).waitFor();
    await expectNoFaults(page);
  });

  it('finds nothing wrong with API keys, good and revoked, and with the audit trail', async () => {
    const { data } = await dashboard.product.request<{ createApiKey: { apiKey: { id: string } } }>(
      'mutation { createApiKey(input: { name: "Old", scopes: [HITS_READ] }) { apiKey { id } } }',
    );
    await dashboard.product.request('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', data?.createApiKey.apiKey);
    const page = await dashboard.openSignedIn('/people/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('What it is for').fill('Reader');
    await page.getByRole('checkbox', { name: 'hits:read' }).check();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByLabel('The key', { exact: true }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Reader/ }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('row', { name: /Revoked the API key Old/ }).waitFor();
    await expectNoFaults(page);
  });

  it('finds nothing wrong with the profile, and with pages that are not for everybody', async () => {
    const page = await dashboard.openSignedIn('/profile');
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('dialog').waitFor();
    await expectNoFaults(page);

    const dave = await addAccount(dashboard.product, 'Dave', []);
    const his = await dashboard.openSignedIn('/', dave);
    await his.getByText('You are signed in', { exact: true }).waitFor();
    await expectNoFaults(his);
    await his.goto(`${dashboard.url}/system`);
    await his.getByText('This page is not for you').waitFor();
    await expectNoFaults(his);
  });
});
