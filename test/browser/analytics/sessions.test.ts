/** Sessions on the dashboard: of all users in a period, and of one user as they are rolled up. */
import { expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { enter, press } from '../support/keyboard.js';

/** A Wednesday in a past week that lies within one month. */
const AT = '2026-05-20T10:15:00.000Z';

describeInBrowser('the sessions page', () => {
  const dashboard = useDashboard();
  const record = async (sessions: readonly { userId: string; at: string; length: number }[]) => {
    const answer = await dashboard.product.request(
      'mutation ($sessions: [SessionInput!]!) { recordSessions(sessions: $sessions) { recorded } }',
      { sessions },
    );
    expect(answer.data).toEqual({ recordSessions: { recorded: sessions.length } });
  };

  it('explains how to send sessions while there are none, and shows the latest period after the roll-up', async () => {
    const page = await dashboard.openSignedIn('/traffic/sessions');
    await page.getByText('Send the first one').waitFor();
    expect(await page.locator('pre').textContent()).toContain('recordSessions');
    expect.soft(await faultsOf(page)).toEqual([]);

    await record([
      { userId: 'ann', at: AT, length: 600 },
      { userId: 'ann', at: AT, length: 1200 },
      { userId: 'bob', at: AT, length: 60 },
      { userId: 'bob', at: '2019-01-01T00:00:00.000Z', length: 60 },
    ]);
    await page.getByRole('button', { name: 'Roll up now' }).click();
    await page.getByText('Rolled up: 3 hours').waitFor();
    await page.getByRole('heading', { name: 'Wed 20 May 2026' }).waitFor();
    const cells = page.getByRole('row', { name: /^ann/ }).getByRole('cell');
    await eventually(() => cells.allTextContents()).toEqual(['2 sessions', '30 min', '15 min each']);
    expect.soft(await faultsOf(page)).toEqual([]);
  });

  it('navigates to the previous and next period, even if it has no sessions', async () => {
    const page = await dashboard.openSignedIn('/traffic/sessions?level=MONTH');
    await page.getByRole('heading', { name: 'May 2026' }).waitFor();
    await page.getByRole('button', { name: 'Previous month' }).click();
    await page.getByText('No sessions in this month').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe('2026-04-01T00:00Z');
    await page.getByRole('button', { name: 'Show the latest sessions' }).click();
    await page.getByRole('row', { name: /^ann/ }).waitFor();
  });

  it('follows a user by keyboard only, and shows new roll-ups immediately', async () => {
    const page = await dashboard.openSignedIn('/traffic/sessions');
    await page.getByRole('heading', { name: 'Wed 20 May 2026' }).waitFor();
    await enter(page, 'User', 'ann');
    await page.keyboard.press('Enter');
    const cells = page.getByRole('row', { name: /^Wed 20 May 2026/ }).getByRole('cell');
    await eventually(() => cells.allTextContents()).toEqual(['2 sessions', '30 min', '15 min each']);
    await record([{ userId: 'ann', at: AT, length: 300 }]);
    await press(page, 'button', 'Roll up now');
    await eventually(() => cells.allTextContents()).toEqual(['3 sessions', '35 min', '11 min 40 s each']);
    await page.getByRole('group', { name: /^Time, sessions of ann by day/ }).focus();
    await page.keyboard.press('End');
    await page.getByText('Wed 20 May 2026: 35 min').waitFor({ state: 'attached' });
    expect.soft(await faultsOf(page)).toEqual([]);
    await press(page, 'button', 'All users');
    await page.getByRole('row', { name: /^bob/ }).waitFor();
  });
});
