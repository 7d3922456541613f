import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { type SmtpServer, startSmtpServer } from '../../support/smtp-server.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';

const PASSWORD = 'a sentence that is easy to keep';

async function fillIn(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
}

describeInBrowser('a visitor where accounts are by invitation only', () => {
  const dashboard = useDashboard();

  it('is offered no sign-up, and the sign-up page says so', async () => {
    const page = await dashboard.open('/');
    await page.getByText('Accounts are by invitation only').waitFor();
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
    await page.goto(`${dashboard.url}/sign-up`);
    await page.getByText('ask an administrator').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  });

  it('sees an error for an incomplete link', async () => {
    const page = await dashboard.open('/invitation');
    await page.getByText('This link is incomplete').waitFor();
    await page.goto(`${dashboard.url}/confirm`);
    await page.getByText('This link is incomplete').waitFor();
  });
});

describeInBrowser('a visitor where anyone may sign up', () => {
  const dashboard = useDashboard(async () => ({ SIGN_UP: 'open' }));

  it('creates an account by keyboard only, and is signed in', async () => {
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

  it('sees an error when the address already has an account', async () => {
    const page = await dashboard.open('/sign-up');
    await fillIn(page, 'Another Ann', 'ann@example.org');
    expect(await page.getByRole('alert').textContent()).toMatch(/already has an account/);
  });
});

describeInBrowser('a visitor who signs up with email verification', () => {
  let smtp: SmtpServer | undefined;
  const dashboard = useDashboard(async () => {
    smtp = await startSmtpServer();
    return { SIGN_UP: 'verified', SMTP_URL: smtp.url };
  });
  afterAll(() => smtp?.close());

  it('follows the link, enters the password, and is signed in', async () => {
    const page = await dashboard.open('/sign-up');
    await fillIn(page, 'Ben', 'ben@example.org');
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
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
    expect(await again.getByRole('alert').textContent()).toMatch(/already used/);
  });

  it('sees the same page when the address already has an account', async () => {
    const page = await dashboard.open('/sign-up');
    await fillIn(page, 'Mallory', 'ben@example.org');
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  });

  it('resets a forgotten password through the link in an email', async () => {
    smtp?.mails.splice(0);
    const page = await dashboard.open('/');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill('ben@example.org');
    await page.getByRole('button', { name: 'Send email' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await eventually(() => smtp?.mails.length).toBe(1);
    const [link = ''] = /http:\S+\/reset#\S+/.exec(smtp?.mails[0]?.text ?? '') ?? [];

    await page.goto(link);
    await page.getByLabel('New password').fill(`${PASSWORD}, once more`);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('You are signed in', { exact: true }).waitFor();
    await dashboard.openSignedIn('/profile', { email: 'ben@example.org', password: `${PASSWORD}, once more` });

    const again = await dashboard.open(link.slice(dashboard.url.length));
    await again.getByLabel('New password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Change password' }).click();
    expect(await again.getByRole('alert').textContent()).toMatch(/already used/);
  });
});
