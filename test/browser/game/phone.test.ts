/** The game on a phone: everything by touch. */
import type { Locator } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { moveFingers } from '../support/fingers.js';
import { addPlayer, buildWorld, log, openGame } from '../support/game.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Rounded, as the browser lays out fractions of pixels. */
async function boxOf(locator: Locator) {
  const { x, y, width } = (await locator.boundingBox()) ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN };
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width) };
}

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

  it('has a map that one finger moves, two fingers zoom, and a tap walks on', async () => {
    const page = await dashboard.openSignedIn('/game', await addPlayer(dashboard.product, 'Finn'), PHONE);
    await page.getByRole('button', { name: 'north', exact: true }).last().tap();
    await log(page).getByText('Stalls surround a dry well.').waitFor();
    await page.getByRole('button', { name: 'Map' }).tap();
    const here = page.getByRole('button', { name: 'The market square, where you are' });
    const harbor = page.getByRole('button', { name: 'Go to The harbor' });
    await harbor.tap({ trial: true }); // once the sheet has arrived
    const first = await boxOf(here);
    const middle = { x: first.x + first.width / 2, y: first.y + 10 };
    // It begins on a room, which is not a tap on it.
    await moveFingers(page, [middle, { x: middle.x + 40, y: middle.y + 30 }]);
    await eventually(() => boxOf(here)).toEqual({ x: first.x + 40, y: first.y + 30, width: first.width });
    await moveFingers(
      page,
      [
        { x: 150, y: 420 },
        { x: 110, y: 420 },
      ],
      [
        { x: 230, y: 420 },
        { x: 270, y: 420 },
      ],
    );
    await eventually(async () => (await boxOf(here)).width).toBeGreaterThan(first.width * 1.8);
    expect((await boxOf(here)).width).toBeLessThan(first.width * 2.2);
    await page.getByRole('button', { name: 'Show where you are' }).tap();
    await eventually(() => boxOf(here)).toEqual(first);
    await harbor.tap();
    await page.getByRole('button', { name: 'The harbor, where you are' }).waitFor();
    await page.keyboard.press('Escape');
    await log(page).getByText('Boats knock against the quay.').last().waitFor();
    await page.getByRole('combobox', { name: 'Command' }).tap();
    await page.getByRole('combobox', { name: 'Command' }).fill('look');
    await page.getByRole('button', { name: 'Send' }).tap();
    await log(page).getByText('Boats knock against the quay.').nth(1).waitFor();
  });
});
