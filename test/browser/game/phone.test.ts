/** The game on a phone: everything by touch. */
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';
import { addPlayer, buildWorld, log, openGame } from '../support/game.js';

describeInBrowser('the game on a phone', () => {
  const dashboard = useDashboard();
  beforeAll(() => buildWorld(dashboard.product));

  it('has the exits as buttons, and things with their acts in sheets', async () => {
    const page = await openGame(dashboard, await addPlayer(dashboard.product, 'Ann'));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: /^Here/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'brass lamp' }).click();
    await page.getByRole('dialog', { name: 'brass lamp' }).getByRole('button', { name: 'Take', exact: true }).click();
    await log(page).getByText('You take the brass lamp.').waitFor();
    await page.getByRole('button', { name: 'Bag 1' }).click();
    await page.getByRole('dialog', { name: 'You carry' }).getByText('brass lamp').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'north', exact: true }).last().click();
    await log(page).getByText('Stalls surround a dry well.').waitFor();
    await page.getByRole('button', { name: 'Map' }).click();
    await page.getByRole('button', { name: 'The market square, where you are' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await faultsOf(page)).toEqual([]);
  });
});
