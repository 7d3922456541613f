import { expect, it } from 'vitest';
import { addAccount } from './accounts.js';
import { describeInBrowser } from './chromium.js';
import { eventually, useDashboard } from './dashboard.js';

const NEW_PASSWORD = 'another horse, another battery';

describeInBrowser('the own profile', () => {
  const dashboard = useDashboard();

  it('is reached from the menu of the account, and has another name at once', async () => {
    const ann = await addAccount(dashboard.product, 'Ann', ['EDITOR']);
    const page = await dashboard.openSignedIn('/', ann);
    await page.getByRole('button', { name: 'Signed in as Ann' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await page.getByText('ann@example.org').waitFor();
    await page.getByText('Reads the figures of all sites').waitFor();
    await page.getByLabel('Name').fill('Ann of Kent');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByRole('button', { name: 'Signed in as Ann of Kent' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Signed in as Ann of Kent' }).waitFor();
  });

  it('changes the password: other browsers are signed out, this one stays', async () => {
    const ben = await addAccount(dashboard.product, 'Ben', ['EDITOR']);
    const elsewhere = await dashboard.openSignedIn('/', ben);
    await elsewhere.getByText('No site is registered yet').waitFor();
    const page = await dashboard.openSignedIn('/profile', ben);
    const mark = page.getByRole('banner').getByRole('status');
    await eventually(() => mark.textContent()).toBe('Live');

    await page.getByLabel('Present password').fill('not the present one');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The present password is another one.');

    await page.getByLabel('Present password').fill(ben.password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('You are signed out everywhere but here').waitFor();
    await elsewhere.getByRole('heading', { name: 'Sign in to Sextant' }).waitFor();
    await eventually(() => mark.textContent()).toBe('Live'); // by a socket of the new session
    await page.reload();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await dashboard.openSignedIn('/profile', { ...ben, password: NEW_PASSWORD });
  });

  it('changes the password in all tabs of the browser, which stay signed in', async () => {
    const cleo = await addAccount(dashboard.product, 'Cleo', ['EDITOR']);
    const page = await dashboard.openSignedIn('/profile', cleo);
    const tab = await page.context().newPage();
    await tab.goto(dashboard.url);
    const mark = tab.getByRole('banner').getByRole('status');
    await eventually(() => mark.textContent()).toBe('Live');
    const phases = tab.waitForEvent('websocket'); // a new socket
    await page.getByLabel('Present password').fill(cleo.password);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('You are signed out everywhere but here').waitFor();
    await phases;
    await eventually(() => mark.textContent()).toBe('Live');
    await tab.reload();
    await tab.getByRole('button', { name: 'Signed in as Cleo' }).waitFor();
  });

  it('ends with the account, which takes the password', async () => {
    const dan = await addAccount(dashboard.product, 'Dan', ['MEMBER']);
    const page = await dashboard.openSignedIn('/profile', dan);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel('Your password').fill('not the password');
    await dialog.getByRole('button', { name: 'Delete it for good' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Your password').fill(dan.password);
    await dialog.getByRole('button', { name: 'Delete it for good' }).click();
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByLabel('E-mail').fill(dan.email);
    await page.getByLabel('Password').fill(dan.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/do not belong together/);
  });

  it('of the last administrator cannot be deleted', async () => {
    const page = await dashboard.openSignedIn('/profile');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('correct horse battery staple');
    await dialog.getByRole('button', { name: 'Delete it for good' }).click();
    expect(await dialog.getByRole('alert').textContent()).toMatch(/last administrator/);
    await page.reload();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  });
});
