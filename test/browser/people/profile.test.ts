import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { rowsOf, unzip } from '../../system/personal-data/zip-reader.js';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';

const NEW_PASSWORD = 'another horse, another battery';

describeInBrowser('the profile', () => {
  const dashboard = useDashboard();

  it('opens from the user menu, and shows a changed name immediately', async () => {
    const ann = await addAccount(dashboard.product, 'Ann', ['EDITOR']);
    const page = await dashboard.openSignedIn('/', ann);
    await page.getByRole('button', { name: 'Signed in as Ann' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await page.getByText('ann@example.org').waitFor();
    await page.getByText('Views the analytics of all sites').waitFor();
    await page.getByLabel('Name').fill('Ann of Kent');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('button', { name: 'Signed in as Ann of Kent' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Signed in as Ann of Kent' }).waitFor();
  });

  it('changes the password, which signs out all other browsers but not this one', async () => {
    const ben = await addAccount(dashboard.product, 'Ben', ['EDITOR']);
    const elsewhere = await dashboard.openSignedIn('/', ben);
    await elsewhere.getByText('No site is registered yet').waitFor();
    const page = await dashboard.openSignedIn('/profile', ben);
    const mark = page.getByRole('banner').getByRole('status');
    await eventually(() => mark.textContent()).toBe('Live');

    await page.getByLabel('Current password').fill('not the current one');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The current password is incorrect.');

    await page.getByLabel('Current password').fill(ben.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('You are signed out on all other devices').waitFor();
    await elsewhere.getByRole('heading', { name: 'Sign in to Sextant' }).waitFor();
    await eventually(() => mark.textContent()).toBe('Live'); // by a socket of the new session
    await page.reload();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await dashboard.openSignedIn('/profile', { ...ben, password: NEW_PASSWORD });
  });

  it('changes the password, which keeps all tabs of the browser signed in', async () => {
    const cleo = await addAccount(dashboard.product, 'Cleo', ['EDITOR']);
    const page = await dashboard.openSignedIn('/profile', cleo);
    const tab = await page.context().newPage();
    await tab.goto(dashboard.url);
    const mark = tab.getByRole('banner').getByRole('status');
    await eventually(() => mark.textContent()).toBe('Live');
    const phases = tab.waitForEvent('websocket'); // a new socket
    await page.getByLabel('Current password').fill(cleo.password);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('You are signed out on all other devices').waitFor();
    await phases;
    await eventually(() => mark.textContent()).toBe('Live');
    await tab.reload();
    await tab.getByRole('button', { name: 'Signed in as Cleo' }).waitFor();
  });

  it('exports what is stored about the viewer, and offers it after a reload', async () => {
    const eve = await addAccount(dashboard.product, 'Eve', ['AUTHOR']);
    const page = await dashboard.openSignedIn('/profile', eve);
    await page.getByRole('button', { name: 'Export my data' }).click();
    const link = page.getByRole('link', { name: 'Download your data' });
    await link.waitFor();
    await page.getByText(/kept until/).waitFor();
    await page.reload();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^sextant-\d{4}-\d\d-\d\d\.zip$/);
    const files = unzip(await readFile(await download.path()));
    expect(rowsOf(files, 'account.jsonl')).toMatchObject([{ email: eve.email }]);
    await page.getByText('What is erased, and what is kept and why').click();
    await page.getByRole('heading', { name: 'Anonymized' }).waitFor();
    await page.getByText('Balances must add up.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('asks for the password before it deletes the account', async () => {
    const dan = await addAccount(dashboard.product, 'Dan', ['MEMBER']);
    const page = await dashboard.openSignedIn('/profile', dan);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    for (const data of ['What others have posted on the wall of the person', 'Comments', 'Content and its versions'])
      await dialog.getByText(data, { exact: true }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByLabel('Your password').fill('not the password');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Your password').fill(dan.password);
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByLabel('Email').fill(dan.email);
    await page.getByLabel('Password').fill(dan.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/password is wrong/);
  });

  it('does not delete the account of the last administrator', async () => {
    const page = await dashboard.openSignedIn('/profile');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('correct horse battery staple');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    expect(await dialog.getByRole('alert').textContent()).toMatch(/last administrator/);
    await page.reload();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  });
});
