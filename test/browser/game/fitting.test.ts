/** The game in its window: it fills the window without scrolling, and no word that somebody writes pushes anything out of it. */
import type { Locator, Page } from 'playwright-core';
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

/** Whether a name is wider than the box of a room on a map. */
async function leavesBox(room: Locator): Promise<boolean> {
  const [box, name] = [await room.locator('rect').boundingBox(), await room.locator('span').boundingBox()];
  if (!box || !name) throw new Error('The room is not drawn');
  return name.x < box.x || name.x + name.width > box.x + box.width || name.height > box.height;
}

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
    await page.setViewportSize({ width: 1440, height: 900 });
    const onMap = page.getByRole('button', { name: `${name}, where you are` });
    expect(await leavesBox(onMap)).toBe(false);

    const editor = await dashboard.openSignedIn('/game/world');
    await editor.getByRole('list', { name: 'Crowds' }).getByText(name).waitFor();
    expect(await leavesBox(editor.getByRole('button', { name, exact: true }))).toBe(false);
    const list = await editor.getByRole('list', { name: 'Crowds' }).boundingBox();
    const count = await editor
      .getByRole('button', { name: /^R+ 1 online 1 here$/ })
      .locator('.note')
      .boundingBox();
    if (!list || !count) throw new Error('The crowds are not drawn');
    expect(count.x + count.width).toBeLessThan(list.x + list.width);
  });
});
