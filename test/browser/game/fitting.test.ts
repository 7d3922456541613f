/** The game in its window: it fills the window without scrolling, and no word that somebody writes pushes anything out of it. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addPlayer, buildWorld, log, openGame, saveRooms, type } from '../support/game.js';

const DESKTOPS = [
  { width: 1920, height: 1080 },
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
];
const TABLET = { width: 768, height: 1024 };
const PHONE = { width: 390, height: 844 };

/** By how many pixels the page is higher than the window. */
const excessOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollHeight - window.innerHeight');

describeInBrowser('the game in its window', () => {
  const dashboard = useDashboard();
  beforeAll(() => buildWorld(dashboard.product));

  it('fills the window and does not scroll it', async () => {
    const player = await openGame(dashboard, await addPlayer(dashboard.product, 'Ann'));
    for (const size of [...DESKTOPS, TABLET, PHONE]) {
      await player.setViewportSize(size);
      await eventually(() => excessOf(player)).toBe(0);
    }
    const editor = await dashboard.openSignedIn('/game/world');
    await editor.getByText('3 rooms').waitFor();
    for (const size of DESKTOPS) {
      await editor.setViewportSize(size);
      await eventually(() => excessOf(editor)).toBe(0);
    }
  });

  it('wraps a long word that was not understood, and the long name of a room', async () => {
    const name = 'R'.repeat(100);
    await saveRooms(
      dashboard.product,
      { key: 'long', name, description: '' },
      { key: 'harbor', name: 'The harbor', description: '', isStart: true, exits: [{ direction: 'down', to: 'long' }] },
    );
    const page = await openGame(dashboard, await addPlayer(dashboard.product, 'Ben'));
    await type(page, 'x'.repeat(600));
    await log(page).getByText('is not a command').waitFor();
    await type(page, 'go down');
    await log(page).locator('strong', { hasText: name }).waitFor();
    for (const size of [...DESKTOPS, TABLET, PHONE]) {
      await page.setViewportSize(size);
      const terminal = await page.getByRole('region', { name: 'Terminal' }).boundingBox();
      const send = await page.getByRole('button', { name: 'Send' }).boundingBox();
      if (!terminal || !send) throw new Error('The terminal is not drawn');
      expect(send.x + send.width).toBeLessThan(terminal.x + terminal.width);
      expect(await log(page).evaluate((lines) => lines.scrollWidth - lines.clientWidth)).toBe(0);
    }
  });
});
