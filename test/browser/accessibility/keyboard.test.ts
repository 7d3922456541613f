/**
 * The people pages, the profile and the audit trail without a pointer. (API keys: `api-keys.test.ts`, sign-in:
 * `sign-in.test.ts`.)
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { administrator } from '../../../harness/product.js';
import { addAccount, inviteBy } from '../support/accounts.js';
import { describeInBrowser } from '../support/chromium.js';
import { type Credentials, useDashboard } from '../support/dashboard.js';
import { enter, press, tabTo } from '../support/keyboard.js';

const NEW_PASSWORD = 'another horse, another battery';

describeInBrowser('by keyboard only', () => {
  const dashboard = useDashboard();

  const signIn = async ({ email, password }: Credentials): Promise<Page> => {
    const page = await dashboard.open('/');
    await enter(page, 'Email', email);
    await enter(page, 'Password', password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return page;
  };
  /** Waits until the dialog has closed and the focus is back on the button that opened it. */
  const expectBackAt = async (page: Page, name: string) => {
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
  };

  it('an administrator invites people, changes roles, deletes an account and reads the audit trail', async () => {
    await addAccount(dashboard.product, 'Ann', ['MEMBER']);
    const page = await signIn(administrator);
    await press(page, 'link', 'People');

    await press(page, 'button', 'Invite someone');
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('guest@example.org');
    await tabTo(page, 'checkbox', 'Editor');
    await page.keyboard.press('Space');
    await press(page, 'button', 'Create invitation');
    expect(await page.getByLabel('Invitation link', { exact: true }).inputValue()).toContain('/invitation#');
    await press(page, 'button', 'Done');
    await expectBackAt(page, 'Invite someone');
    const guest = page.getByRole('row', { name: /guest@example\.org/ });
    await guest.getByText('Editor').waitFor();

    await press(page, 'button', 'Roles of Ann');
    await tabTo(page, 'checkbox', 'Advertiser');
    await page.keyboard.press('Space');
    await press(page, 'button', 'Save roles');
    await expectBackAt(page, 'Roles of Ann');
    await page.getByRole('row', { name: /Ann/ }).getByText('Advertiser').waitFor();

    await press(page, 'button', 'Withdraw the invitation for guest@example.org');
    await press(page, 'button', 'Withdraw invitation');
    await guest.waitFor({ state: 'detached' });

    const remove = 'Delete the account of Ann';
    await press(page, 'button', remove);
    await page.keyboard.press('Escape');
    await expectBackAt(page, remove);
    await page.keyboard.press('Enter');
    await press(page, 'button', 'Delete account');
    await page.getByRole('row', { name: /Ann/ }).waitFor({ state: 'detached' });

    for (let index = 0; index < 50; index += 1) await inviteBy(dashboard.product, `guest${index}@example.org`, []);
    await press(page, 'link', 'Audit trail');
    await page.getByRole('row', { name: /Invited guest49@example\.org/ }).waitFor();
    await press(page, 'button', 'Show more');
    await page.getByRole('row', { name: /Deleted the account of ann@example\.org/ }).waitFor();
    await page.getByRole('row', { name: /Granted ann@example\.org the Advertiser role/ }).waitFor();
    await page.getByRole('row', { name: /Withdrew the invitation for guest@example\.org/ }).waitFor();
  });

  it('users change their profile and delete their account', async () => {
    const bob = await addAccount(dashboard.product, 'Bob', ['EDITOR']);
    const page = await signIn(bob);
    await press(page, 'button', 'Signed in as Bob');
    await page.getByRole('menuitem', { name: 'Profile' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');

    await enter(page, 'Name', 'Bob of Kent');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Signed in as Bob of Kent' }).waitFor();

    await enter(page, 'Current password', bob.password);
    await enter(page, 'New password', NEW_PASSWORD);
    await press(page, 'button', 'Change password');
    await page.getByText('You are signed out on all other devices').waitFor();

    await press(page, 'button', 'Delete my account');
    await page.getByLabel('Your password').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await expectBackAt(page, 'Delete my account');
    await page.keyboard.press('Enter');
    await enter(page, 'Your password', NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
    await press(page, 'link', 'Back to sign-in');
    await page.getByRole('heading', { name: 'Sign in to Sextant' }).waitFor();
  });
});
