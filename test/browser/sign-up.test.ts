import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.js';
import { describeInBrowser } from './chromium.js';
import { eventually, useDashboard } from './dashboard.js';

const PASSWORD = 'a sentence that is easy to keep';

async function fillIn(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
}

describeInBrowser('a visitor where accounts are made by invitation', () => {
  const dashboard = useDashboard();

  it('is offered no sign-up, and told so at its address', async () => {
    const page = await dashboard.open('/');
    await page.getByText('Accounts are made by invitation').waitFor();
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
    await page.goto(`${dashboard.url}/sign-up`);
    await page.getByText('ask an administrator').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  });

  it('is told when a link is not whole', async () => {
    const page = await dashboard.open('/invitation');
    await page.getByText('This link is not whole').waitFor();
    await page.goto(`${dashboard.url}/confirm`);
    await page.getByText('This link is not whole').waitFor();
  });
});

describeInBrowser('a visitor where anybody may sign up', () => {
  const dashboard = useDashboard(async () => ({ SIGN_UP: 'open' }));

  it('makes an account by the keyboard alone, and is welcomed', async () => {
    const page = await dashboard.open('/');
    await page.getByRole('link', { name: 'Sign up' }).press('Enter');
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    for (const text of ['Ann', 'ann@example.org', PASSWORD]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Space'); // shows what was typed
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('You are signed in', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('is told when the address has an account', async () => {
    const page = await dashboard.open('/sign-up');
    await fillIn(page, 'Another Ann', 'ann@example.org');
    expect(await page.getByRole('alert').textContent()).toMatch(/has an account already/);
  });
});

describeInBrowser('a visitor who signs up by mail', () => {
  let smtp: SmtpServer | undefined;
  const dashboard = useDashboard(async () => {
    smtp = await startSmtpServer();
    return { SIGN_UP: 'verified', SMTP_URL: smtp.url };
  });
  afterAll(() => smtp?.close());

  it('follows the link, enters the password, and is in', async () => {
    const page = await dashboard.open('/sign-up');
    await fillIn(page, 'Ben', 'ben@example.org');
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    await page.getByText('ben@example.org').waitFor();
    await eventually(() => smtp?.mails.length).toBe(1);
    const [link = ''] = /http:\S+\/confirm#\S+/.exec(smtp?.mails[0]?.text ?? '') ?? [];
    expect(new URL(link).origin).toBe(dashboard.url);

    await page.goto(link);
    await page.getByLabel('Password').fill('not what was chosen');
    await page.getByRole('button', { name: 'Confirm' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/not the password/);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('You are signed in', { exact: true }).waitFor();

    const again = await dashboard.open(link.slice(dashboard.url.length));
    await again.getByLabel('Password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Confirm' }).click();
    expect(await again.getByRole('alert').textContent()).toMatch(/was used before/);
  });

  it('sees the same page when the address has an account', async () => {
    const page = await dashboard.open('/sign-up');
    await fillIn(page, 'Mallory', 'ben@example.org');
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  });

  it('who has forgotten the password chooses another one by the link of a mail', async () => {
    smtp?.mails.splice(0);
    const page = await dashboard.open('/');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail').fill('ben@example.org');
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    await eventually(() => smtp?.mails.length).toBe(1);
    const [link = ''] = /http:\S+\/reset#\S+/.exec(smtp?.mails[0]?.text ?? '') ?? [];

    await page.goto(link);
    await page.getByLabel('New password').fill(`${PASSWORD}, once more`);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('You are signed in', { exact: true }).waitFor();
    await dashboard.openSignedIn('/profile', { email: 'ben@example.org', password: `${PASSWORD}, once more` });

    const again = await dashboard.open(link.slice(dashboard.url.length));
    await again.getByLabel('New password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Change the password' }).click();
    expect(await again.getByRole('alert').textContent()).toMatch(/was used before/);
  });
});
