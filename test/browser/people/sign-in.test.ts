import { expect, it } from 'vitest';
import { administrator } from '../../../harness/product.js';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';

describeInBrowser('a visitor of the dashboard', () => {
  const dashboard = useDashboard();

  it('signs in and out by keyboard only', async () => {
    const page = await dashboard.open('/');
    await page.getByLabel('Email').waitFor();
    await page.keyboard.type(administrator.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(administrator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();

    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to content');
    const button = page.getByRole('button', { name: 'Signed in as Administrator' });
    while (!(await button.and(page.locator(':focus')).count())) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const focused = page.locator(':focus');
    await page.getByRole('menuitem', { name: 'Profile' }).and(focused).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menuitem', { name: 'Sign out' }).and(focused).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Sextant' }).waitFor();
  });

  it('sees an error for a wrong password, and is not signed in', async () => {
    const page = await dashboard.open('/system');
    await page.getByLabel('Email').fill(administrator.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/password/);
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    expect(await page.context().cookies()).toEqual([]);
  });

  it('is still signed in after a reload, by cookies that no script can read', async () => {
    const page = await dashboard.openSignedIn('/');
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const cookies = await page.context().cookies(`${dashboard.url}/graphql`);
    expect(cookies.map(({ name, httpOnly }) => [name, httpOnly]).sort()).toEqual([
      ['sextant_access', true],
      ['sextant_refresh', true],
    ]);
  });

  it('renews a session whose access token is missing', async () => {
    const page = await dashboard.openSignedIn('/');
    await page.context().clearCookies({ name: 'sextant_access' });
    await page.evaluate(`localStorage.setItem('sextant.session.until', '1')`);
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name)).toContain('sextant_access');
  });
});
