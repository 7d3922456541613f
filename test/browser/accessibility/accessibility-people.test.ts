/** The people pages and the profile, checked by axe-core. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAccount, inviteBy } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';

const expectNoFaults = async (page: Page) => expect.soft(await faultsOf(page)).toEqual([]);

describeInBrowser('axe-core on the people pages', () => {
  const dashboard = useDashboard(async () => ({ SIGN_UP: 'open' }));

  it('finds no violations in sign-up, an invitation and a broken link', async () => {
    const page = await dashboard.open('/sign-up');
    await page.getByLabel('Name').waitFor();
    await expectNoFaults(page);
    await page.goto(`${dashboard.url}/invitation#token`);
    await page.getByLabel('Name').waitFor();
    await expectNoFaults(page);
    await page.goto(`${dashboard.url}/confirm`);
    await page.getByText('This link is incomplete').waitFor();
    await expectNoFaults(page);
  });

  it('finds no violations in the password reset', async () => {
    const page = await dashboard.open('/forgot');
    await page.getByLabel('Email').waitFor();
    await expectNoFaults(page);
    await page.goto(`${dashboard.url}/reset#token`);
    await page.getByLabel('New password').waitFor();
    await expectNoFaults(page);
  });

  it('finds no violations in empty lists', async () => {
    const page = await dashboard.openSignedIn('/people/keys');
    await page.getByText('No API keys yet').waitFor();
    await expectNoFaults(page);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByText('No actions yet').waitFor();
    await expectNoFaults(page);
  });

  it('finds no violations in people, their roles and invitations', async () => {
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
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByLabel('Email').fill('carol@example.org');
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await page.getByLabel('Invitation link', { exact: true }).waitFor();
    await expectNoFaults(page);
  });

  it('finds no violations in active and revoked API keys and the audit trail', async () => {
    const { data } = await dashboard.product.request<{ createApiKey: { apiKey: { id: string } } }>(
      'mutation { createApiKey(input: { name: "Old", scopes: [HITS_READ] }) { apiKey { id } } }',
    );
    await dashboard.product.request('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', data?.createApiKey.apiKey);
    const page = await dashboard.openSignedIn('/people/keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Purpose').fill('Reader');
    await page.getByRole('checkbox', { name: 'hits:read' }).check();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Reader/ }).waitFor();
    await expectNoFaults(page);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('row', { name: /Revoked the API key Old/ }).waitFor();
    await expectNoFaults(page);
  });

  it('finds no violations in the profile and in pages that need another role', async () => {
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
    await his.getByText('You cannot open this page').waitFor();
    await expectNoFaults(his);
  });
});
