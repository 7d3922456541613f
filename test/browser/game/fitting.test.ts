/** The game in its window: it fills the window without scrolling. */
import type { Page } from 'playwright-core';
import { beforeAll, it } from 'vitest';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addPlayer, buildWorld, openGame } from '../support/game.js';

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
});
